package io.anser.store.log;

import java.nio.ByteBuffer;

/** Checks that the bytes of segments are whole records, each of which follows the one before. Used by one thread. */
public final class RecordChain {
    private boolean begun;
    private int crc;
    private long term;
    private long index;
    private long position;

    /** A chain whose first record may be any. */
    public RecordChain() {}

    /**
     * Goes on with the records at the start of a segment, up to the end of the buffer or to the record that ends the segment.
     *
     * @param bytes from index 0 to the limit
     * @return whether they are sound
     */
    public boolean goOn(long base, ByteBuffer bytes) {
        int at = 0;
        while (at < bytes.limit()) {
            if (!LogRecord.isWhole(bytes, at) || !follows(bytes, at)) {
                return false;
            }
            begun = true;
            crc = LogRecord.crc(bytes, at);
            term = LogRecord.term(bytes, at);
            index = LogRecord.index(bytes, at);
            position = base + at;
            if (LogRecord.type(bytes, at) == LogRecord.ROLL) {
                return true;
            }
            at += LogRecord.length(bytes, at);
        }
        return begun;
    }

    private boolean follows(ByteBuffer bytes, int at) {
        boolean rolls = LogRecord.type(bytes, at) == LogRecord.ROLL;
        return !begun
                || (LogRecord.previousCrc(bytes, at) == crc
                        && LogRecord.term(bytes, at) >= term
                        && LogRecord.index(bytes, at) == index + (rolls ? 0 : 1));
    }

    /** Whether the last record is the one before a place. */
    public boolean endsBefore(LogPoint point) {
        return begun && crc == point.crc() && index == point.index() && position == point.recordPosition();
    }
}
