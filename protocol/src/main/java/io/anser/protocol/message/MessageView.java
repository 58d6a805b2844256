package io.anser.protocol.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Reads one stored message in place: a flyweight over a buffer in the layout of {@link MessageLayout}. {@link #wrap}
 * checks every length once; the accessors then read with absolute gets and allocate nothing unless they return an
 * object. Owned by one thread, valid until the next {@code wrap} and as long as the buffer's bytes stay.
 */
public final class MessageView {
    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);
    private static final byte[] NO_BYTES = {};
    private static final int FIRST_BLOCK_BYTES = 256;
    private static final int CACHE_LINE_BYTES = 64;

    private ByteBuffer buffer = EMPTY;
    private byte[] block = NO_BYTES;
    private int at;
    private int totalSize;
    private int sysFlag;
    private int bodyFrom;
    private int bodyLength;
    private int topicFrom;
    private int topicLength;
    private int propertiesFrom;
    private int propertiesLength;
    private final IndexedFields indexed = new IndexedFields();
    private boolean hasIndexed;

    /** Written only, so that the reads of {@link #touch} are not left out. */
    @SuppressWarnings("UnusedVariable")
    private int touched;

    /** A view of nothing yet. */
    public MessageView() {}

    /**
     * Points this view at the message that starts at {@code at}.
     *
     * @param source big-endian; position and mark are neither used nor changed
     * @return this
     * @throws MalformedMessageException if magic or any length does not fit, or the message passes the buffer's limit;
     *     the view must then be wrapped anew before use
     */
    public MessageView wrap(ByteBuffer source, int at) {
        return wrap(source, at, source.limit() - at);
    }

    /**
     * Points this view at the message that starts at {@code at} and has so many bytes at the most, see
     * {@link #wrap(ByteBuffer, int)}.
     *
     * @param available at most what is left before the source's limit
     * @return this
     */
    public MessageView wrap(ByteBuffer source, int at, int available) {
        if (source.order() != ByteOrder.BIG_ENDIAN) {
            throw new IllegalArgumentException("buffer must be big-endian");
        }
        if (at < 0 || available > source.limit() - at || available < MessageLayout.MIN_MESSAGE_BYTES) {
            throw malformed("available", available, at);
        }
        this.buffer = source;
        this.at = at;
        hasIndexed = false;
        totalSize = source.getInt(at);
        if (totalSize < MessageLayout.MIN_MESSAGE_BYTES || totalSize > available) {
            throw malformed("total size", totalSize, available);
        }
        int magic = source.getInt(at + MessageLayout.MAGIC);
        if (magic != MessageLayout.MAGIC_V1 && magic != MessageLayout.MAGIC_V2) {
            throw malformed("magic", magic, MessageLayout.MAGIC_V1);
        }
        sysFlag = source.getInt(at + MessageLayout.SYS_FLAG);
        locate(magic == MessageLayout.MAGIC_V2);
        return this;
    }

    /**
     * Reads a byte of each cache line that {@link #wrap} and a look at a short property block will need. A message that was not
     * touched for long is waited for at several places, one after the other; touched before, one close after the other, several
     * messages are waited for at once. Leaves the view as it is.
     *
     * @param size bytes of the message, all before the source's limit
     */
    public void touch(ByteBuffer source, int at, int size) {
        int last = at + size - 1;
        touched += source.get(at + Math.min(size - 1, MessageLayout.SYS_FLAG))
                + source.get(at + Math.min(size - 1, MessageLayout.bodyLength(0)))
                + source.get(last)
                + source.get(Math.max(at, last - CACHE_LINE_BYTES))
                + source.get(Math.max(at, last - 2 * CACHE_LINE_BYTES));
    }

    /** Walks over the three parts of variable length; each must leave room for the parts behind it. */
    private void locate(boolean v2) {
        int end = at + totalSize;
        int topicLengthBytes = v2 ? 2 : 1;

        int lengthAt = at + MessageLayout.bodyLength(sysFlag);
        int room = end - lengthAt - 4 - topicLengthBytes - 2;
        // With IPv6 hosts the fixed part alone can pass the end of a message that is too small.
        bodyLength = room < 0 ? room : buffer.getInt(lengthAt);
        if (bodyLength < 0 || bodyLength > room) {
            throw malformed("body length", bodyLength, room);
        }
        bodyFrom = lengthAt + 4;

        lengthAt = bodyFrom + bodyLength;
        room -= bodyLength;
        topicLength = v2 ? buffer.getShort(lengthAt) : buffer.get(lengthAt);
        if (topicLength < 0 || topicLength > room) {
            throw malformed("topic length", topicLength, room);
        }
        topicFrom = lengthAt + topicLengthBytes;

        lengthAt = topicFrom + topicLength;
        room -= topicLength;
        propertiesLength = buffer.getShort(lengthAt);
        if (propertiesLength != room) {
            throw malformed("properties length", propertiesLength, room);
        }
        propertiesFrom = lengthAt + 2;
    }

    private static MalformedMessageException malformed(String field, int value, int room) {
        return new MalformedMessageException("message " + field + "=" + value + " does not fit " + room);
    }

    /** Size of the whole message, bytes. */
    public int totalSize() {
        return totalSize;
    }

    /** {@link MessageLayout#MAGIC_V1} or {@link MessageLayout#MAGIC_V2}. */
    public int magic() {
        return buffer.getInt(at + MessageLayout.MAGIC);
    }

    /** The checksum the message carries for its body. */
    public int bodyCrc() {
        return buffer.getInt(at + MessageLayout.BODY_CRC);
    }

    /** Whether the body has the checksum that the message carries; allocates. */
    public boolean isBodyIntact() {
        return MessageEncoder.bodyCrc(body()) == bodyCrc();
    }

    /** Queue of the topic. */
    public int queueId() {
        return buffer.getInt(at + MessageLayout.QUEUE_ID);
    }

    /** The sender's own flag. */
    public int flag() {
        return buffer.getInt(at + MessageLayout.FLAG);
    }

    /** Index of the message in its queue. */
    public long queueOffset() {
        return buffer.getLong(at + MessageLayout.QUEUE_OFFSET);
    }

    /** Log position of the message. */
    public long physicalOffset() {
        return buffer.getLong(at + MessageLayout.PHYSICAL_OFFSET);
    }

    /** The system flag, see {@link SysFlag}. */
    public int sysFlag() {
        return sysFlag;
    }

    /** The sender's time, milliseconds. */
    public long bornTimestamp() {
        return buffer.getLong(at + MessageLayout.BORN_TIMESTAMP);
    }

    /** Where the sender's connection came from. */
    public WireHost bornHost() {
        return WireHost.read(buffer, at + MessageLayout.BORN_HOST, (sysFlag & SysFlag.BORN_HOST_V6) != 0);
    }

    /** The broker's time, milliseconds. */
    public long storeTimestamp() {
        return buffer.getLong(at + MessageLayout.storeTimestamp(sysFlag));
    }

    /** The address the broker advertised when it stored the message. */
    public WireHost storeHost() {
        return WireHost.read(buffer, at + MessageLayout.storeHost(sysFlag), (sysFlag & SysFlag.STORE_HOST_V6) != 0);
    }

    /** How often the message was consumed without success. */
    public int reconsumeTimes() {
        return buffer.getInt(at + MessageLayout.reconsumeTimes(sysFlag));
    }

    /** Log position of the prepared message, 0 outside of transactions. */
    public long preparedTransactionOffset() {
        return buffer.getLong(at + MessageLayout.reconsumeTimes(sysFlag) + 4);
    }

    /** Position of the body's first byte in the buffer. */
    public int bodyOffset() {
        return bodyFrom;
    }

    /** Bytes of the body. */
    public int bodyLength() {
        return bodyLength;
    }

    /** The body as a view of the buffer's bytes; allocates. */
    public ByteBuffer body() {
        return buffer.slice(bodyFrom, bodyLength);
    }

    /** The topic; allocates. */
    public String topic() {
        return text(topicFrom, topicLength);
    }

    /** Whether the topic has exactly these UTF-8 bytes. */
    public boolean hasTopic(byte[] topic) {
        return topic.length == topicLength && hasBytes(topicFrom, topic);
    }

    /**
     * Whether the buffer holds exactly these bytes at a position.
     *
     * @param from position in the buffer, as {@link #findProperty} tells it; the bytes must not pass the buffer's limit
     */
    public boolean hasBytes(int from, byte[] expected) {
        int i = 0;
        for (; i + Long.BYTES <= expected.length; i += Long.BYTES) {
            if (buffer.getLong(from + i) != MessageProperties.eightBytes(expected, i)) {
                return false;
            }
        }
        for (; i < expected.length; i++) {
            if (buffer.get(from + i) != expected[i]) {
                return false;
            }
        }
        return true;
    }

    /** Bytes of the topic. */
    public int topicLength() {
        return topicLength;
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
        buffer.get(propertiesFrom, block);
        return block;
    }

    /**
     * Copies the property block.
     *
     * @param target takes it from its start on; at least {@link #propertiesLength} long
     */
    public void copyProperties(byte[] target) {
        buffer.get(propertiesFrom, target, 0, propertiesLength);
    }

    /** The value of the property {@code name} (ASCII), if the message has it; allocates. */
    public Optional<String> property(String name) {
        long found = findProperty(name);
        if (found == MessageProperties.ABSENT) {
            return Optional.empty();
        }
        int from = MessageProperties.valueFrom(found);
        return Optional.of(text(from, MessageProperties.valueUntil(found) - from));
    }

    /** Where the value of the property {@code name} lies in the buffer, see {@link MessageProperties#find}. */
    public long findProperty(String name) {
        // Copied at once and searched in an array: reading a direct buffer byte by byte costs several times as much.
        if (block.length < propertiesLength) {
            block = new byte[Math.max(propertiesLength, FIRST_BLOCK_BYTES)];
        }
        copyProperties(block);
        long found = MessageProperties.find(block, propertiesLength, name);
        return found == MessageProperties.ABSENT ? found : found + ((long) propertiesFrom << 32) + propertiesFrom;
    }

    /** The fields that indexes are made of. */
    public IndexedFields indexed() {
        if (!hasIndexed) {
            indexed.locate(buffer, topicFrom, topicLength, propertiesFrom, at + totalSize);
            hasIndexed = true;
        }
        return indexed;
    }

    /** The Java string hash of the tag, 0 without one: what the queue index holds and clients ask for. */
    public int tagsHash() {
        return indexed().tagsHash();
    }

    private String text(int from, int length) {
        byte[] bytes = new byte[length];
        buffer.get(from, bytes);
        return new String(bytes, UTF_8);
    }
}
