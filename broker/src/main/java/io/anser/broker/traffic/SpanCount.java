package io.anser.broker.traffic;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * One counter and what it stood at over the last minute, hour and day. Counted by any thread; sampled by one, and read by any,
 * under the monitor.
 */
final class SpanCount {
    private static final int SAMPLES_PER_TEN_MINUTES = 60;
    private static final int SAMPLES_PER_HOUR = 360;

    private final LongAdder count = new LongAdder();
    private final LongAdder times = new LongAdder();
    private final Span minute;
    private final Span hour;
    private final Span day;
    private int samples;

    SpanCount(long startNanos) {
        minute = new Span(6, startNanos);
        hour = new Span(6, startNanos);
        day = new Span(24, startNanos);
    }

    /**
     * What was counted over a span of time.
     *
     * @param sum all of it
     * @param perSecond on average
     * @param perTime on average for each time that something was counted
     */
    record Counted(long sum, double perSecond, double perTime) {}

    void add(long amount) {
        count.add(amount);
        times.increment();
    }

    /** Takes note of where the counter stands; every ten seconds. */
    synchronized void sample(long nowNanos) {
        samples++;
        minute.note(nowNanos, count.sum(), times.sum());
        if (samples % SAMPLES_PER_TEN_MINUTES == 0) {
            hour.note(nowNanos, count.sum(), times.sum());
        }
        if (samples % SAMPLES_PER_HOUR == 0) {
            day.note(nowNanos, count.sum(), times.sum());
        }
    }

    synchronized Counted lastMinute(long nowNanos) {
        return minute.until(nowNanos, count.sum(), times.sum());
    }

    synchronized Counted lastHour(long nowNanos) {
        return hour.until(nowNanos, count.sum(), times.sum());
    }

    synchronized Counted lastDay(long nowNanos) {
        return day.until(nowNanos, count.sum(), times.sum());
    }

    /** The newest notes of a counter, and what came since the oldest of them. */
    private static final class Span {
        private final long[] nanos;
        private final long[] counts;
        private final long[] times;
        private int oldest;

        Span(int notes, long startNanos) {
            nanos = new long[notes];
            counts = new long[notes];
            times = new long[notes];
            Arrays.fill(nanos, startNanos);
        }

        void note(long nowNanos, long count, long timesNow) {
            nanos[oldest] = nowNanos;
            counts[oldest] = count;
            times[oldest] = timesNow;
            oldest = (oldest + 1) % nanos.length;
        }

        Counted until(long nowNanos, long count, long timesNow) {
            long sum = count - counts[oldest];
            long calls = timesNow - times[oldest];
            double seconds = (nowNanos - nanos[oldest]) / (double) TimeUnit.SECONDS.toNanos(1);
            return new Counted(sum, seconds <= 0 ? 0 : sum / seconds, calls == 0 ? 0 : (double) sum / calls);
        }
    }
}
