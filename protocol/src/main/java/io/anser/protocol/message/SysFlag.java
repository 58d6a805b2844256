package io.anser.protocol.message;

/**
 * Bits of a message's system flag. Bits that are not named here are kept as they came.
 *
 * <p>Source: wire facts of the Apache RocketMQ message format.
 */
public final class SysFlag {
    /** The body is compressed; the broker never inflates it. */
    public static final int COMPRESSED = 0x1;
    /** The message carries several tags. */
    public static final int MULTI_TAGS = 0x2;

    /** Both transaction bits; the masked value is one of the four {@code TRANSACTION_} constants. */
    public static final int TRANSACTION_MASK = 0xC;
    /** Not part of a transaction. */
    public static final int TRANSACTION_NONE = 0x0;
    /** Prepared message of a transaction, not visible yet. */
    public static final int TRANSACTION_PREPARED = 0x4;
    /** Committed message of a transaction. */
    public static final int TRANSACTION_COMMIT = 0x8;
    /** Rolled back message of a transaction. */
    public static final int TRANSACTION_ROLLBACK = 0xC;

    /** The born host is an IPv6 address. */
    public static final int BORN_HOST_V6 = 0x10;
    /** The store host is an IPv6 address. */
    public static final int STORE_HOST_V6 = 0x20;
    /** Stored with a wrapped topic that the reader takes off. */
    public static final int NEED_UNWRAP = 0x40;
    /** The body is a batch that is stored as one message. */
    public static final int INNER_BATCH = 0x80;

    /** Bits of the compression type, meaningful with {@link #COMPRESSED}; 0 means zlib (clients before 5.0). */
    public static final int COMPRESSION_TYPE_MASK = 0x700;
    /** The body is an LZ4 frame. */
    public static final int COMPRESSION_LZ4 = 0x100;
    /** The body is a zstd frame. */
    public static final int COMPRESSION_ZSTD = 0x200;
    /** The body is a zlib stream. */
    public static final int COMPRESSION_ZLIB = 0x300;

    private SysFlag() {}

    /** The transaction part of {@code sysFlag}: one of the four {@code TRANSACTION_} constants. */
    public static int transaction(int sysFlag) {
        return sysFlag & TRANSACTION_MASK;
    }

    /** {@code sysFlag} with its transaction part replaced by {@code transaction}. */
    public static int withTransaction(int sysFlag, int transaction) {
        return (sysFlag & ~TRANSACTION_MASK) | (transaction & TRANSACTION_MASK);
    }

    /** Whether the body is compressed. */
    public static boolean isCompressed(int sysFlag) {
        return (sysFlag & COMPRESSED) != 0;
    }
}
