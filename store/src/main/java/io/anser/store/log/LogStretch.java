package io.anser.store.log;

import java.nio.ByteBuffer;

/**
 * A part of the log that is read in place: committed, checked and whole, and in memory when it was made. Stays readable as long
 * as it is referenced. Immutable; any thread.
 *
 * @param from log position of the first byte
 * @param bytes read-only, from index 0 to the limit
 */
public record LogStretch(long from, ByteBuffer bytes) {
    /** Holds nothing. */
    public static final LogStretch NONE = new LogStretch(0, ByteBuffer.allocate(0));

    /** Whether it holds nothing. */
    public boolean isEmpty() {
        return bytes.limit() == 0;
    }

    /** Whether all bytes of a message are in it. */
    public boolean holds(long position, int size) {
        return position >= from && position + size <= from + bytes.limit();
    }

    /** Index in {@link #bytes} of a position that is in it. */
    public int indexOf(long position) {
        return (int) (position - from);
    }
}
