package io.anser.store.retention;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * A sparse, growing row of pairs: a log position, and a value that never goes back along the log. Thread-safe; one thread
 * adds. When full, every second pair is left out, which makes answers coarser but not wrong.
 */
final class Marks {
    static final int MAX = 1 << 20;
    private static final int FIRST_ROOM = 4;

    private long[] positions = new long[FIRST_ROOM];
    private long[] values = new long[FIRST_ROOM];
    private int count;

    /** Adds a pair behind all others. */
    synchronized void add(long position, long value) {
        if (count == MAX) {
            for (int i = 1; 2 * i < count; i++) {
                positions[i] = positions[2 * i];
                values[i] = values[2 * i];
            }
            count = (count + 1) / 2;
        }
        if (count == positions.length) {
            positions = Arrays.copyOf(positions, 2 * count);
            values = Arrays.copyOf(values, 2 * count);
        }
        positions[count] = position;
        values[count++] = value;
    }

    /** The greatest position whose value is less than a limit; 0 when there is none. */
    synchronized long positionBelow(long limit) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (values[middle] < limit) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? 0 : positions[low - 1];
    }

    /** Forgets the pairs before a position but for the last of them. */
    synchronized void forgetBefore(long position) {
        int from = 0;
        while (from + 1 < count && positions[from + 1] <= position) {
            from++;
        }
        if (from > 0) {
            positions = Arrays.copyOfRange(positions, from, Math.max(from + FIRST_ROOM, count));
            values = Arrays.copyOfRange(values, from, Math.max(from + FIRST_ROOM, count));
            count -= from;
        }
    }

    synchronized int count() {
        return count;
    }

    synchronized void write(DataOutput out) throws IOException {
        out.writeInt(count);
        for (int i = 0; i < count; i++) {
            out.writeLong(positions[i]);
            out.writeLong(values[i]);
        }
    }

    synchronized void read(DataInput in) throws IOException {
        count = 0;
        int pairs = in.readInt();
        for (int i = 0; i < pairs; i++) {
            add(in.readLong(), in.readLong());
        }
    }
}
