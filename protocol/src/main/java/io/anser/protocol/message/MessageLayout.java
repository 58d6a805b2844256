package io.anser.protocol.message;

/**
 * Byte positions of a stored message. All integers are big-endian; a pull answer is a row of such messages without a
 * count.
 *
 * <pre>
 * at  bytes    field
 *  0  4        total size, this field included
 *  4  4        magic: {@link #MAGIC_V1}, or {@link #MAGIC_V2} for a topic of more than 127 bytes
 *  8  4        CRC-32 of the stored body, highest bit cleared
 * 12  4        queue id
 * 16  4        the sender's own flag
 * 20  8        queue offset
 * 28  8        log position of this message
 * 36  4        system flag, see {@link SysFlag}
 * 40  8        time of birth, milliseconds
 * 48  8 | 20   born host: address of 4 bytes (16 with {@link SysFlag#BORN_HOST_V6}) and int port
 *  .  8        store time, milliseconds
 *  .  8 | 20   store host: likewise, with {@link SysFlag#STORE_HOST_V6}
 *  .  4        times this message was consumed again
 *  .  8        log position of the prepared message of a transaction, else 0
 *  .  4 + n    body
 *  .  1 + n    topic (2 + n with {@link #MAGIC_V2})
 *  .  2 + n    properties, see {@link MessageProperties}
 * </pre>
 *
 * <p>Source: wire facts of the Apache RocketMQ message format, versions 1 and 2.
 */
public final class MessageLayout {
    /** Magic of a message whose topic length takes one byte. */
    public static final int MAGIC_V1 = 0xDAA320A7;
    /** Magic of a message whose topic length takes two bytes. */
    public static final int MAGIC_V2 = 0xDAA320AB;

    /** Position of the total size. */
    public static final int TOTAL_SIZE = 0;
    /** Position of the magic. */
    public static final int MAGIC = 4;
    /** Position of the body checksum. */
    public static final int BODY_CRC = 8;
    /** Position of the queue id. */
    public static final int QUEUE_ID = 12;
    /** Position of the sender's own flag. */
    public static final int FLAG = 16;
    /** Position of the queue offset. */
    public static final int QUEUE_OFFSET = 20;
    /** Position of the log position. */
    public static final int PHYSICAL_OFFSET = 28;
    /** Position of the system flag. */
    public static final int SYS_FLAG = 36;
    /** Position of the time of birth. */
    public static final int BORN_TIMESTAMP = 40;
    /** Position of the born host, the last one that is the same in every message. */
    public static final int BORN_HOST = 48;

    /** Longest topic that {@link #MAGIC_V1} can carry, in bytes. */
    public static final int MAX_V1_TOPIC_BYTES = 127;
    /** Longest property block, in bytes. */
    public static final int MAX_PROPERTIES_BYTES = Short.MAX_VALUE;
    /** Size of the smallest message: IPv4 hosts, V1, and nothing in body, topic and properties. */
    public static final int MIN_MESSAGE_BYTES = 91;

    private static final int HOST_V4_BYTES = 8;
    private static final int HOST_V6_BYTES = 20;
    /** Reconsume times, prepared transaction offset and body length lie between store host and body. */
    private static final int STORE_HOST_TO_BODY_LENGTH = 4 + 8;

    private MessageLayout() {}

    /** Bytes of the born host that {@code sysFlag} announces: 8 or 20. */
    public static int bornHostBytes(int sysFlag) {
        return (sysFlag & SysFlag.BORN_HOST_V6) == 0 ? HOST_V4_BYTES : HOST_V6_BYTES;
    }

    /** Bytes of the store host that {@code sysFlag} announces: 8 or 20. */
    public static int storeHostBytes(int sysFlag) {
        return (sysFlag & SysFlag.STORE_HOST_V6) == 0 ? HOST_V4_BYTES : HOST_V6_BYTES;
    }

    /** Position of the store time in a message with {@code sysFlag}. */
    public static int storeTimestamp(int sysFlag) {
        return BORN_HOST + bornHostBytes(sysFlag);
    }

    /** Position of the store host in a message with {@code sysFlag}. */
    public static int storeHost(int sysFlag) {
        return storeTimestamp(sysFlag) + 8;
    }

    /** Position of the count of repeated consumption in a message with {@code sysFlag}. */
    public static int reconsumeTimes(int sysFlag) {
        return storeHost(sysFlag) + storeHostBytes(sysFlag);
    }

    /** Position of the body's length in a message with {@code sysFlag}. */
    public static int bodyLength(int sysFlag) {
        return reconsumeTimes(sysFlag) + STORE_HOST_TO_BODY_LENGTH;
    }
}
