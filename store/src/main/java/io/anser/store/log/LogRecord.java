package io.anser.store.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The bytes of one log record: the unit of checking, recovery and (later) replication. All integers are big-endian.
 *
 * <table>
 * <caption>Layout</caption>
 * <tr><th>offset</th><th>bytes</th><th>field</th><th>meaning</th></tr>
 * <tr><td>0</td><td>4</td><td>length</td><td>bytes of the whole record, this header included; 0 where nothing was written</td></tr>
 * <tr><td>4</td><td>4</td><td>crc32c</td><td>over the bytes from 8 to the record's end</td></tr>
 * <tr><td>8</td><td>4</td><td>previousCrc32c</td><td>crc32c of the record before, across segments; 0 in the first record</td></tr>
 * <tr><td>12</td><td>1</td><td>type</td><td>1 items, 2 term start, 3 roll, 4 control</td></tr>
 * <tr><td>13</td><td>1</td><td>version</td><td>1</td></tr>
 * <tr><td>14</td><td>2</td><td>reserved</td><td>0</td></tr>
 * <tr><td>16</td><td>8</td><td>term</td><td>raised at every start and every change of the leader</td></tr>
 * <tr><td>24</td><td>8</td><td>index</td><td>number of the record, from 1; a roll repeats that of the record before</td></tr>
 * <tr><td>32</td><td>8</td><td>forcedPosition</td><td>when the record was formed, all before it was on the device</td></tr>
 * <tr><td>40</td><td>n</td><td>payload</td><td>items: units back to back, each one or more wire messages or state changes;
 *     term start: wall-clock milliseconds (8); roll: nothing; control: what a replicated group's engine notes, its own bytes</td></tr>
 * </table>
 *
 * <p>A record never crosses a segment: when the next one (with room for a roll behind it) does not fit, a roll record ends
 * the segment and the log goes on at the next segment's first byte.
 *
 * <p>The chain of checksums is what tells a record from a stale one that lay at the same place before a cut: term and index
 * may fit by accident. forcedPosition is what tells a hole in writes that never were on the device (a power loss may keep
 * any subset of them), which is a torn tail, from damage to data that was promised.
 */
public final class LogRecord {
    /** Bytes before the payload. */
    public static final int HEADER_BYTES = 40;

    /** A record of messages and state changes. */
    public static final byte ITEMS = 1;

    /** The first record of a term. */
    public static final byte TERM_START = 2;

    /** The last record of a segment. */
    public static final byte ROLL = 3;

    /** An entry of the engine that orders a replicated group's log, in its own bytes; a store of its own has none. */
    public static final byte CONTROL = 4;

    static final byte VERSION = 1;

    private static final int CRC = 4;
    private static final int PREVIOUS_CRC = 8;
    private static final int TYPE = 12;
    private static final int RECORD_VERSION = 13;
    private static final int RESERVED = 14;
    private static final int TERM = 16;
    private static final int INDEX = 24;
    private static final int FORCED_POSITION = 32;

    private LogRecord() {}

    /**
     * Fills in the header of a record whose payload is already in its place.
     *
     * @param at where the record starts in the buffer
     * @param length of the whole record
     * @param checksum used and left in any state
     * @return the record's checksum, which the next record carries
     */
    static int seal(
            ByteBuffer buffer,
            int at,
            int length,
            int previousCrc,
            byte type,
            long term,
            long index,
            long forced,
            CRC32C checksum) {
        buffer.putInt(at, length);
        buffer.putInt(at + PREVIOUS_CRC, previousCrc);
        buffer.put(at + TYPE, type);
        buffer.put(at + RECORD_VERSION, VERSION);
        buffer.putShort(at + RESERVED, (short) 0);
        buffer.putLong(at + TERM, term);
        buffer.putLong(at + INDEX, index);
        buffer.putLong(at + FORCED_POSITION, forced);
        int position = buffer.position();
        int limit = buffer.limit();
        checksum.reset();
        checksum.update(buffer.limit(at + length).position(at + PREVIOUS_CRC));
        buffer.limit(limit).position(position);
        int crc = (int) checksum.getValue();
        buffer.putInt(at + CRC, crc);
        return crc;
    }

    /** Whether the bytes at {@code at} are a whole record by length, version and checksum; says nothing of the chain. */
    static boolean isWhole(ByteBuffer buffer, int at) {
        return looksLikeHeader(buffer, at) && crc(buffer, at) == checksum(buffer, at, length(buffer, at));
    }

    /** The cheap part of {@link #isWhole}. */
    static boolean looksLikeHeader(ByteBuffer buffer, int at) {
        int room = buffer.limit() - at;
        if (room < HEADER_BYTES) {
            return false;
        }
        int length = length(buffer, at);
        int type = type(buffer, at);
        return length >= HEADER_BYTES
                && length <= room
                && type >= ITEMS
                && type <= CONTROL
                && buffer.get(at + RECORD_VERSION) == VERSION
                && buffer.getShort(at + RESERVED) == 0
                && term(buffer, at) > 0;
    }

    private static int checksum(ByteBuffer buffer, int at, int length) {
        CRC32C crc = new CRC32C();
        crc.update(buffer.slice(at + PREVIOUS_CRC, length - PREVIOUS_CRC));
        return (int) crc.getValue();
    }

    static int length(ByteBuffer buffer, int at) {
        return buffer.getInt(at);
    }

    static int crc(ByteBuffer buffer, int at) {
        return buffer.getInt(at + CRC);
    }

    static int previousCrc(ByteBuffer buffer, int at) {
        return buffer.getInt(at + PREVIOUS_CRC);
    }

    static byte type(ByteBuffer buffer, int at) {
        return buffer.get(at + TYPE);
    }

    static long term(ByteBuffer buffer, int at) {
        return buffer.getLong(at + TERM);
    }

    static long index(ByteBuffer buffer, int at) {
        return buffer.getLong(at + INDEX);
    }

    static long forcedPosition(ByteBuffer buffer, int at) {
        return buffer.getLong(at + FORCED_POSITION);
    }
}
