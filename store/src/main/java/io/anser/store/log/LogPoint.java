package io.anser.store.log;

/**
 * A place between two records, with all that is needed to go on writing or checking from there.
 *
 * @param position log position of the next record
 * @param term term of the record before; 0 at the start of a log
 * @param index index of the record before; 0 at the start of a log
 * @param crc checksum of the record before; 0 at the start of a log
 * @param storeTimestamp the latest store time given out before, milliseconds since 1970
 * @param recordPosition where the record before starts; equals {@code position} at the start of a log
 */
public record LogPoint(long position, long term, long index, int crc, long storeTimestamp, long recordPosition) {
    /** The start of an empty log. */
    public static final LogPoint START = new LogPoint(0, 0, 0, 0, 0, 0);

    /** The start of an empty log whose first record is at a position. */
    public static LogPoint startingAt(long position) {
        return new LogPoint(position, 0, 0, 0, 0, position);
    }
}
