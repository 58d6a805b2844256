package io.anser.store.key;

import java.util.Arrays;
import java.util.function.LongPredicate;

/**
 * The entries of one stretch of the log, in the order of the log. Written by the owner of the index, read by look-ups through
 * all entries: a scan of a full run takes less than a millisecond, and adding to it costs next to nothing.
 */
final class MemoryRun implements KeyRun {
    private static final int FIRST_ENTRIES = 1 << 10;
    private static final int DIGIT_BITS = 9;
    private static final int DIGITS = 1 << DIGIT_BITS;

    private final long from;
    private final TimeMarks marks = new TimeMarks();

    /** Before {@code count} in the order of writes: who sees a count finds that many entries. */
    private volatile long[] entries = new long[FIRST_ENTRIES];

    private volatile int count;
    private volatile long until;

    // Owned by the owner of the index.
    private int added;
    private long recordPosition = KeyFile.NO_RECORD;
    private int recordCrc;

    /** An empty run that begins at a log position. */
    MemoryRun(long from) {
        this.from = from;
        this.until = from;
    }

    @Override
    public long from() {
        return from;
    }

    @Override
    public long until() {
        return until;
    }

    TimeMarks marks() {
        return marks;
    }

    long recordPosition() {
        return recordPosition;
    }

    int recordCrc() {
        return recordCrc;
    }

    int count() {
        return count;
    }

    long memoryBytes() {
        return (long) entries.length * Long.BYTES;
    }

    /** Adds an entry, which look-ups see after {@link #showUntil}. */
    void add(int hash, long position) {
        long[] current = entries;
        if (added == current.length) {
            current = Arrays.copyOf(current, 2 * added);
            entries = current;
        }
        current[added++] = KeyEntry.of(hash, position - from);
    }

    /** Takes note of the last record that was taken in; a file is good only for a log that still has it. */
    void tookRecord(long position, int crc) {
        recordPosition = position;
        recordCrc = crc;
    }

    /** Shows what was added: everything before a position. */
    void showUntil(long position) {
        count = added;
        until = position;
    }

    @Override
    public boolean visit(int hash, long fromPosition, long untilPosition, LongPredicate visitor) {
        int seen = count;
        long[] all = entries;
        for (int at = seen - 1; at >= 0; at--) {
            if (KeyEntry.hash(all[at]) == hash) {
                long position = from + KeyEntry.relativePosition(all[at]);
                if (position >= fromPosition && position < untilPosition && !visitor.test(position)) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * The entries in order. They are in the order of the log already, so a stable sort by the hash alone is enough: three
     * passes over 9 bits each, several times cheaper than comparing.
     */
    long[] sorted() {
        long[] source = Arrays.copyOf(entries, count);
        long[] target = new long[source.length];
        for (int shift = KeyEntry.POSITION_BITS; shift < Long.SIZE - 1; shift += DIGIT_BITS) {
            int[] starts = new int[DIGITS + 1];
            for (long entry : source) {
                starts[(int) (entry >>> shift & (DIGITS - 1)) + 1]++;
            }
            for (int digit = 0; digit < DIGITS; digit++) {
                starts[digit + 1] += starts[digit];
            }
            for (long entry : source) {
                target[starts[(int) (entry >>> shift & (DIGITS - 1))]++] = entry;
            }
            long[] swapped = source;
            source = target;
            target = swapped;
        }
        return source;
    }
}
