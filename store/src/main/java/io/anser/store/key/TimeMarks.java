package io.anser.store.key;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Store times at some positions of a run, so that a look-up in a time range needs not read messages outside of it. Store
 * times never fall along the log. Owned by who builds the run; unchanging once the run is a file.
 */
final class TimeMarks {
    /** One mark per so many bytes of log. */
    static final long MARK_BYTES = 4 << 20;

    /** Bytes of one mark in a file. */
    static final int BYTES = 2 * Long.BYTES;

    private long[] positions = new long[4];
    private long[] times = new long[4];
    private int count;
    private long lastTime = Long.MIN_VALUE;

    /** Takes note of a message; positions only grow. */
    void saw(long position, long millis) {
        if (count == 0 || position - positions[count - 1] >= MARK_BYTES) {
            if (count == positions.length) {
                positions = Arrays.copyOf(positions, 2 * count);
                times = Arrays.copyOf(times, 2 * count);
            }
            positions[count] = position;
            times[count++] = millis;
        }
        lastTime = Math.max(lastTime, millis);
    }

    /** Takes over the marks of the run that follows. */
    void add(TimeMarks next) {
        for (int mark = 0; mark < next.count; mark++) {
            saw(next.positions[mark], next.times[mark]);
        }
        lastTime = Math.max(lastTime, next.lastTime);
    }

    boolean isEmpty() {
        return count == 0;
    }

    int count() {
        return count;
    }

    /** Store time of the first message. */
    long firstTime() {
        return times[0];
    }

    /** Store time of the last message. */
    long lastTime() {
        return lastTime;
    }

    /** No message before it was stored at or after a time. */
    long fromPosition(long millis) {
        int mark = firstAtOrAfter(millis);
        return mark == 0 ? 0 : positions[mark - 1];
    }

    /** No message from it on was stored before or at a time. */
    long untilPosition(long millis) {
        int mark = millis == Long.MAX_VALUE ? count : firstAtOrAfter(millis + 1);
        return mark == count ? Long.MAX_VALUE : positions[mark];
    }

    private int firstAtOrAfter(long millis) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (times[middle] < millis) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    void write(ByteBuffer out) {
        for (int mark = 0; mark < count; mark++) {
            out.putLong(positions[mark]).putLong(times[mark]);
        }
    }

    static TimeMarks read(ByteBuffer in, int count, long lastTime) {
        TimeMarks marks = new TimeMarks();
        marks.positions = new long[Math.max(1, count)];
        marks.times = new long[Math.max(1, count)];
        for (int mark = 0; mark < count; mark++) {
            marks.positions[mark] = in.getLong();
            marks.times[mark] = in.getLong();
        }
        marks.count = count;
        marks.lastTime = lastTime;
        return marks;
    }
}
