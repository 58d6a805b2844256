package io.anser.broker.traffic;

/** The samples of one counter over the last ten minutes. Guarded by its monitor: it is touched every ten seconds. */
final class RateWindow {
    private static final int[] SPANS_SAMPLES = {1, 6, 60};
    private static final double NANOS_PER_SECOND = 1e9;

    private final long[] nanos = new long[61];
    private final long[] counts = new long[61];
    private int samples;

    RateWindow(long startNanos) {
        sample(startNanos, 0);
    }

    synchronized void sample(long atNanos, long count) {
        int slot = samples % nanos.length;
        nanos[slot] = atNanos;
        counts[slot] = count;
        samples++;
    }

    /** Averages up to the newest sample over 1, 6 and 60 intervals, or as many as there are. */
    synchronized double[] perSecond() {
        double[] rates = new double[SPANS_SAMPLES.length];
        for (int i = 0; i < rates.length; i++) {
            rates[i] = over(SPANS_SAMPLES[i]);
        }
        return rates;
    }

    private double over(int intervals) {
        int newest = samples - 1;
        int oldest = newest - Math.min(intervals, newest);
        long elapsed = nanos[newest % nanos.length] - nanos[oldest % nanos.length];
        long counted = counts[newest % nanos.length] - counts[oldest % nanos.length];
        return elapsed == 0 ? 0 : counted * NANOS_PER_SECOND / elapsed;
    }
}
