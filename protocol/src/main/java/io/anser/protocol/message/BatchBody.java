package io.anser.protocol.message;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Walks over the messages in the body of a batch send: a flyweight that allocates nothing per message and checks every
 * length before it is used. Owned by one thread.
 *
 * <pre>
 * at  bytes    field
 *  0  4        total size of this message, this field included
 *  4  4        0
 *  8  4        0
 * 12  4        the sender's own flag
 * 16  4 + n    body
 *  .  2 + n    properties, see {@link MessageProperties}
 * </pre>
 *
 * <pre>{@code
 * batch.wrap(body);
 * while (batch.next()) {
 *     use(batch.bodyOffset(), batch.bodyLength());
 * }
 * }</pre>
 */
public final class BatchBody {
    private static final int FLAG = 12;
    private static final int BODY_LENGTH = 16;
    private static final int BODY = 20;
    /** Size of a message with nothing in body and properties. */
    private static final int MIN_BYTES = BODY + 2;

    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

    private ByteBuffer buffer = EMPTY;
    private int at;
    private int nextAt;
    private int bodyLength;
    private int propertiesFrom;
    private int propertiesLength;

    /** A batch of nothing yet. */
    public BatchBody() {}

    /**
     * Points before the first message.
     *
     * @param body big-endian, from position to limit; neither is changed
     * @return this
     */
    public BatchBody wrap(ByteBuffer body) {
        if (body.order() != ByteOrder.BIG_ENDIAN) {
            throw new IllegalArgumentException("buffer must be big-endian");
        }
        buffer = body;
        nextAt = body.position();
        return this;
    }

    /**
     * Number of messages in the batch, all of them checked. The walk starts over.
     *
     * @param maxMessages most messages accepted
     * @throws MalformedMessageException if a length does not fit, the batch is empty or has more messages
     */
    public int check(int maxMessages) {
        int from = nextAt;
        int messages = 0;
        while (next()) {
            messages++;
            if (messages > maxMessages) {
                throw new MalformedMessageException("batch messages>" + maxMessages + " limit=" + maxMessages);
            }
        }
        if (messages == 0) {
            throw new MalformedMessageException("batch messages=0 expected at least 1");
        }
        nextAt = from;
        return messages;
    }

    /**
     * Moves to a message that the walk has met before.
     *
     * @param from what {@link #offset()} answered at that message
     */
    public BatchBody moveTo(int from) {
        nextAt = from;
        if (!next()) {
            throw malformed("offset", from, buffer.limit());
        }
        return this;
    }

    /** Position of the message's first byte in the buffer. */
    public int offset() {
        return at;
    }

    /**
     * Moves to the next message.
     *
     * @return false at the end of the batch
     * @throws MalformedMessageException if a length does not fit
     */
    public boolean next() {
        at = nextAt;
        int available = buffer.limit() - at;
        if (available == 0) {
            return false;
        }
        if (available < MIN_BYTES) {
            throw malformed("available", available, MIN_BYTES);
        }
        int totalSize = buffer.getInt(at);
        if (totalSize < MIN_BYTES || totalSize > available) {
            throw malformed("total size", totalSize, available);
        }
        int room = totalSize - MIN_BYTES;
        bodyLength = buffer.getInt(at + BODY_LENGTH);
        if (bodyLength < 0 || bodyLength > room) {
            throw malformed("body length", bodyLength, room);
        }
        room -= bodyLength;
        propertiesLength = buffer.getShort(at + BODY + bodyLength);
        if (propertiesLength != room) {
            throw malformed("properties length", propertiesLength, room);
        }
        propertiesFrom = at + BODY + bodyLength + 2;
        nextAt = at + totalSize;
        return true;
    }

    private static MalformedMessageException malformed(String field, int value, int room) {
        return new MalformedMessageException("batch message " + field + "=" + value + " does not fit " + room);
    }

    /** The sender's own flag. */
    public int flag() {
        return buffer.getInt(at + FLAG);
    }

    /** Position of the body's first byte in the buffer. */
    public int bodyOffset() {
        return at + BODY;
    }

    /** Bytes of the body. */
    public int bodyLength() {
        return bodyLength;
    }

    /** The body as a view of the buffer's bytes; allocates. */
    public ByteBuffer body() {
        return buffer.slice(bodyOffset(), bodyLength);
    }

    /** Position of the property block's first byte in the buffer. */
    public int propertiesOffset() {
        return propertiesFrom;
    }

    /** Bytes of the property block. */
    public int propertiesLength() {
        return propertiesLength;
    }

    /** A copy of the property block. */
    public byte[] properties() {
        byte[] block = new byte[propertiesLength];
        copyProperties(block);
        return block;
    }

    /** Copies the property block into the first {@link #propertiesLength()} bytes of an array. */
    public void copyProperties(byte[] target) {
        buffer.get(propertiesFrom, target, 0, propertiesLength);
    }

    /** Size of a message with parts of these sizes. */
    public static int encodedBytes(int bodyBytes, int propertiesBytes) {
        return Math.addExact(Math.addExact(MIN_BYTES, bodyBytes), propertiesBytes);
    }

    /**
     * Writes one message of a batch at the target's position.
     *
     * @param body from position to limit; both are left as they were
     * @throws MalformedMessageException if the properties exceed {@link MessageLayout#MAX_PROPERTIES_BYTES}
     */
    public static void encode(ByteBuffer target, int flag, ByteBuffer body, byte[] properties) {
        if (properties.length > MessageLayout.MAX_PROPERTIES_BYTES) {
            throw new MalformedMessageException(
                    "properties bytes=" + properties.length + " limit=" + MessageLayout.MAX_PROPERTIES_BYTES);
        }
        int bodyFrom = body.position();
        target.putInt(encodedBytes(body.remaining(), properties.length));
        target.putInt(0).putInt(0).putInt(flag);
        target.putInt(body.remaining()).put(body);
        target.putShort((short) properties.length).put(properties);
        body.position(bodyFrom);
    }
}
