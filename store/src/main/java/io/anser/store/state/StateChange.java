package io.anser.store.state;

import java.nio.ByteBuffer;

/**
 * The frame of a state change inside a log record, beside the messages.
 *
 * <table>
 * <caption>Layout</caption>
 * <tr><th>offset</th><th>bytes</th><th>field</th><th>meaning</th></tr>
 * <tr><td>0</td><td>4</td><td>totalSize</td><td>bytes of the whole item, this header included</td></tr>
 * <tr><td>4</td><td>4</td><td>magic</td><td>{@link #MAGIC}; a message has its own magic in the same place</td></tr>
 * <tr><td>8</td><td>2</td><td>kind</td><td>chosen by the owner of the state, below {@link #STORE_KINDS_FROM}</td></tr>
 * <tr><td>10</td><td>n</td><td>payload</td><td>the owner's bytes</td></tr>
 * </table>
 */
public final class StateChange {
    /** Marks a state change: {@code ANS1}. */
    public static final int MAGIC = 0x414E5331;

    /** Kinds from here on are the store's own; {@link TopicDrop} is one. */
    public static final short STORE_KINDS_FROM = 0x7000;

    /** Kind of the store's own change that messages have expired; package {@code retention} writes and reads it. */
    public static final short CUTS_MOVED = STORE_KINDS_FROM + 2;

    /** Kind of the store's own change that a group lets the beginning of its log go; package {@code retention} as well. */
    public static final short PREFIX_FREED = STORE_KINDS_FROM + 4;

    /** Bytes before the payload. */
    public static final int HEADER_BYTES = 10;

    private StateChange() {}

    /** Bytes of a change with that many bytes of payload: what {@code Append.bytes} answers. */
    public static int bytes(int payloadBytes) {
        return HEADER_BYTES + payloadBytes;
    }

    /** The kind of a change whose first byte is at an index of the buffer. */
    public static short kind(ByteBuffer buffer, int at) {
        return buffer.getShort(at + HEADER_BYTES - Short.BYTES);
    }

    /** Writes the frame; the caller then puts exactly {@code payloadBytes} bytes into the same buffer. */
    public static void writeHeader(ByteBuffer target, short kind, int payloadBytes) {
        target.putInt(bytes(payloadBytes)).putInt(MAGIC).putShort(kind);
    }

    /** Writes the frame and the payload, an array as it is. */
    public static void write(ByteBuffer target, short kind, byte[] payload) {
        writeHeader(target, kind, payload.length);
        target.put(payload);
    }
}
