package io.anser.bench.stats;

import java.util.Arrays;

/**
 * Counts durations in classes whose width is 1/64 of their value, so that a percentile is at most 1.6 % too high. Recording
 * allocates nothing. Owned by one thread.
 */
public final class Latencies {
    private static final int BITS = 6;
    private static final int CLASSES = 1 << BITS;

    private final long[] counts = new long[(Long.SIZE - BITS) * CLASSES];
    private long total;

    /** Nothing recorded yet. */
    public Latencies() {}

    /** Counts one duration. */
    public void record(long nanos) {
        counts[index(Math.max(0, nanos))]++;
        total++;
    }

    /** Forgets everything. */
    public void clear() {
        Arrays.fill(counts, 0);
        total = 0;
    }

    /** How many durations were recorded. */
    public long count() {
        return total;
    }

    /**
     * The duration that this share of all did not exceed.
     *
     * @param share from 0 to 1
     * @return nanoseconds; 0 if nothing was recorded
     */
    public long percentile(double share) {
        long wanted = Math.max(1, (long) Math.ceil(share * total));
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= wanted) {
                return largestOf(i);
            }
        }
        return 0;
    }

    private static int index(long nanos) {
        int shift = Math.max(0, Long.SIZE - 1 - BITS - Long.numberOfLeadingZeros(nanos));
        return shift * CLASSES + (int) (nanos >>> shift);
    }

    private static long largestOf(int index) {
        if (index < 2 * CLASSES) {
            return index;
        }
        int shift = index / CLASSES - 1;
        return ((long) (index - shift * CLASSES + 1) << shift) - 1;
    }
}
