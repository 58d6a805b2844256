package io.anser.protocol.message;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * Writes messages in the layout of {@link MessageLayout} straight into the log's buffer. Queue offset, log position and
 * store time are left 0 and filled in by {@link #patch} once the log has fixed the order. Buffers are big-endian, as
 * new ones are.
 */
public final class MessageEncoder {
    private static final int CRC_MASK = 0x7fffffff;
    private static final byte[] NO_PROPERTIES = {};

    /** More than the part before the body with two IPv6 hosts. */
    private static final int FIXED_BYTES_MAX = 128;

    private MessageEncoder() {}

    /**
     * Size of a message with parts of these sizes.
     *
     * @throws MalformedMessageException if the properties exceed {@link MessageLayout#MAX_PROPERTIES_BYTES}, the topic
     *     32767 bytes, or the whole an int
     */
    public static int encodedBytes(
            int topicBytes, int bodyBytes, int propertiesBytes, boolean bornHostV6, boolean storeHostV6) {
        if (topicBytes > Short.MAX_VALUE) {
            throw new MalformedMessageException("topic bytes=" + topicBytes + " limit=" + Short.MAX_VALUE);
        }
        if (propertiesBytes > MessageLayout.MAX_PROPERTIES_BYTES) {
            throw new MalformedMessageException(
                    "properties bytes=" + propertiesBytes + " limit=" + MessageLayout.MAX_PROPERTIES_BYTES);
        }
        int fixed = MessageLayout.MIN_MESSAGE_BYTES
                + (topicBytes > MessageLayout.MAX_V1_TOPIC_BYTES ? 1 : 0)
                + (bornHostV6 ? 12 : 0)
                + (storeHostV6 ? 12 : 0);
        long total = (long) fixed + topicBytes + bodyBytes + propertiesBytes;
        if (total > Integer.MAX_VALUE) {
            throw new MalformedMessageException("message bytes=" + total + " limit=" + Integer.MAX_VALUE);
        }
        return (int) total;
    }

    /**
     * Writes one message at the target's position and moves the position behind it.
     *
     * @param target big-endian, with {@link #encodedBytes} bytes remaining
     * @param topic UTF-8
     * @param body from position to limit, copied as it is; position and limit are left as they were
     * @param properties a block of {@link MessageProperties}
     */
    public static void encode(
            ByteBuffer target, MessageHeader header, byte[] topic, ByteBuffer body, byte[] properties) {
        encode(target, header, topic, body, properties, NO_PROPERTIES);
    }

    /**
     * Writes one message as the method without {@code moreProperties} does.
     *
     * @param moreProperties written behind the others
     */
    public static void encode(
            ByteBuffer target,
            MessageHeader header,
            byte[] topic,
            ByteBuffer body,
            byte[] properties,
            byte[] moreProperties) {
        int propertiesBytes = properties.length + moreProperties.length;
        encodeFixed(target, header, header.flag(), topic, bodyCrc(body), body.remaining(), propertiesBytes);
        int bodyFrom = body.position();
        target.put(body);
        body.position(bodyFrom);
        encodeTopic(target, topic);
        target.putShort((short) propertiesBytes);
        target.put(properties).put(moreProperties);
    }

    /**
     * Writes one message of a batch as {@link #encode} does, with body and properties copied straight from the batch.
     *
     * @param fixed what {@link #fixedPart} made of the header of all messages of the batch
     * @param message stands on the message
     * @param source the buffer under the batch; position and limit are changed
     * @param moreProperties written behind the message's own
     */
    public static void encode(
            ByteBuffer target,
            byte[] fixed,
            byte[] topic,
            BatchBody message,
            ByteBuffer source,
            byte[] moreProperties) {
        int at = target.position();
        int propertiesBytes = message.propertiesLength() + moreProperties.length;
        int bodyBytes = message.bodyLength();
        source.limit(message.bodyOffset() + bodyBytes).position(message.bodyOffset());
        target.put(fixed);
        target.putInt(at, totalBytes(fixed.length, topic.length, bodyBytes, propertiesBytes));
        target.putInt(at + MessageLayout.BODY_CRC, bodyCrc(source));
        target.putInt(at + MessageLayout.FLAG, message.flag());
        target.putInt(at + fixed.length - Integer.BYTES, bodyBytes);
        target.put(source);
        encodeTopic(target, topic);
        target.putShort((short) propertiesBytes);
        source.limit(message.propertiesOffset() + message.propertiesLength()).position(message.propertiesOffset());
        target.put(source).put(moreProperties);
    }

    /**
     * What the messages of a batch have in common: everything up to and with the length of the body, with zeros where they
     * differ.
     */
    public static byte[] fixedPart(MessageHeader header, byte[] topic) {
        ByteBuffer fixed = ByteBuffer.allocate(FIXED_BYTES_MAX);
        encodeFixed(fixed, header, 0, topic, 0, 0, 0);
        return Arrays.copyOf(fixed.array(), fixed.position());
    }

    private static int totalBytes(int fixedBytes, int topicBytes, int bodyBytes, int propertiesBytes) {
        int topicLengthBytes = topicBytes > MessageLayout.MAX_V1_TOPIC_BYTES ? Short.BYTES : Byte.BYTES;
        return fixedBytes + bodyBytes + topicLengthBytes + topicBytes + Short.BYTES + propertiesBytes;
    }

    /** Everything up to and with the length of the body. */
    private static void encodeFixed(
            ByteBuffer target,
            MessageHeader header,
            int flag,
            byte[] topic,
            int bodyCrc,
            int bodyBytes,
            int propertiesBytes) {
        WireHost bornHost = header.bornHost();
        WireHost storeHost = header.storeHost();
        int total = encodedBytes(topic.length, bodyBytes, propertiesBytes, bornHost.isV6(), storeHost.isV6());
        boolean v2 = topic.length > MessageLayout.MAX_V1_TOPIC_BYTES;

        target.putInt(total);
        target.putInt(v2 ? MessageLayout.MAGIC_V2 : MessageLayout.MAGIC_V1);
        target.putInt(bodyCrc);
        target.putInt(header.queueId());
        target.putInt(flag);
        target.putLong(0); // queue offset
        target.putLong(0); // log position
        target.putInt(withHostBits(header.sysFlag(), bornHost, storeHost));
        target.putLong(header.bornTimestamp());
        bornHost.writeTo(target);
        target.putLong(0); // store time
        storeHost.writeTo(target);
        target.putInt(header.reconsumeTimes());
        target.putLong(header.preparedTransactionOffset());
        target.putInt(bodyBytes);
    }

    private static void encodeTopic(ByteBuffer target, byte[] topic) {
        if (topic.length > MessageLayout.MAX_V1_TOPIC_BYTES) {
            target.putShort((short) topic.length);
        } else {
            target.put((byte) topic.length);
        }
        target.put(topic);
    }

    /**
     * Fills in what the log decides.
     *
     * @param at position of the message's first byte
     * @param physicalOffset log position of the message
     * @param storeTimestamp milliseconds
     */
    public static void patch(ByteBuffer target, int at, long queueOffset, long physicalOffset, long storeTimestamp) {
        target.putLong(at + MessageLayout.QUEUE_OFFSET, queueOffset);
        target.putLong(at + MessageLayout.PHYSICAL_OFFSET, physicalOffset);
        int sysFlag = target.getInt(at + MessageLayout.SYS_FLAG);
        target.putLong(at + MessageLayout.storeTimestamp(sysFlag), storeTimestamp);
    }

    /** Fills in what the log decides, see {@link #patch(ByteBuffer, int, long, long, long)}, and the queue. */
    public static void patch(
            ByteBuffer target, int at, int queueId, long queueOffset, long physicalOffset, long storeTimestamp) {
        target.putInt(at + MessageLayout.QUEUE_ID, queueId);
        patch(target, at, queueOffset, physicalOffset, storeTimestamp);
    }

    /** Checksum of a body from position to limit as messages carry it; the position is left as it was. */
    public static int bodyCrc(ByteBuffer body) {
        CRC32 crc = new CRC32();
        int from = body.position();
        crc.update(body);
        body.position(from);
        return (int) (crc.getValue() & CRC_MASK);
    }

    private static int withHostBits(int sysFlag, WireHost bornHost, WireHost storeHost) {
        return (sysFlag & ~(SysFlag.BORN_HOST_V6 | SysFlag.STORE_HOST_V6))
                | (bornHost.isV6() ? SysFlag.BORN_HOST_V6 : 0)
                | (storeHost.isV6() ? SysFlag.STORE_HOST_V6 : 0);
    }
}
