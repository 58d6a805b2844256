package io.anser.protocol.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;

/**
 * What indexes are made of: a message's topic, and the values of its tags, its keys and its unique id. Copied out of the
 * message at once and found in one walk, because every message that is ever stored passes here: reading a direct buffer
 * piece by piece costs several times as much. Owned by one thread, valid until its {@link MessageView} is wrapped anew.
 */
public final class IndexedFields {
    /** Names with the byte behind them, as the upper five of eight bytes. */
    private static final long TAGS = fiveBytes('T', 'A', 'G', 'S');

    private static final long KEYS = fiveBytes('K', 'E', 'Y', 'S');
    private static final int SHORT_NAME_BYTES = 5;

    private static final long UNIQ_KEY = 'U' * (1L << 56)
            + 'N' * (1L << 48)
            + 'I' * (1L << 40)
            + 'Q' * (1L << 32)
            + '_' * (1L << 24)
            + 'K' * (1L << 16)
            + 'E' * (1L << 8)
            + 'Y';

    private static final int FIRST_BYTES = 512;

    private byte[] bytes = new byte[FIRST_BYTES];
    private int topicLength;
    private int tagsFrom;
    private int tagsUntil;
    private int keysFrom;
    private int keysUntil;
    private int uniqueFrom;
    private int uniqueUntil;

    IndexedFields() {}

    private static long fiveBytes(char first, char second, char third, char fourth) {
        return first * (1L << 32)
                + second * (1L << 24)
                + third * (1L << 16)
                + fourth * (1L << 8)
                + MessageProperties.NAME_END;
    }

    /**
     * Takes the fields of a message.
     *
     * @param from position of its topic
     * @param propertiesFrom position of its properties, which end at {@code until}
     */
    void locate(ByteBuffer source, int from, int topicBytes, int propertiesFrom, int until) {
        int length = until - from;
        if (bytes.length < length + Long.BYTES) {
            bytes = new byte[length + Long.BYTES]; // so that eight bytes can be read from everywhere
        }
        source.get(from, bytes, 0, length);
        topicLength = topicBytes;
        tagsFrom = 0;
        tagsUntil = 0;
        keysFrom = 0;
        keysUntil = 0;
        uniqueFrom = 0;
        uniqueUntil = 0;
        for (int entry = propertiesFrom - from; entry < length; ) {
            int entryEnd = MessageProperties.entryEnd(bytes, entry, length);
            property(entry, entryEnd);
            entry = entryEnd + 1;
        }
    }

    /** Of two properties with one name the last one counts, and one without a value is none. */
    private void property(int entry, int entryEnd) {
        long first = MessageProperties.eightBytes(bytes, entry);
        long name = first >>> (Long.SIZE - SHORT_NAME_BYTES * Byte.SIZE);
        int value = entry + SHORT_NAME_BYTES;
        if (name == TAGS && value < entryEnd) {
            tagsFrom = value;
            tagsUntil = entryEnd;
        } else if (name == KEYS && value < entryEnd) {
            keysFrom = value;
            keysUntil = entryEnd;
        } else if (first == UNIQ_KEY
                && entry + Long.BYTES + 1 < entryEnd
                && bytes[entry + Long.BYTES] == MessageProperties.NAME_END) {
            uniqueFrom = entry + Long.BYTES + 1;
            uniqueUntil = entryEnd;
        }
    }

    /** The bytes that the positions here speak of, with the topic at the start. Only to be read. */
    public byte[] bytes() {
        return bytes;
    }

    /** Bytes of the topic. */
    public int topicLength() {
        return topicLength;
    }

    /** Position of the first byte of KEYS; that of its end when there are none. */
    public int keysFrom() {
        return keysFrom;
    }

    /** The position behind KEYS. */
    public int keysUntil() {
        return keysUntil;
    }

    /** Position of the first byte of the unique id; that of its end when there is none. */
    public int uniqueFrom() {
        return uniqueFrom;
    }

    /** The position behind the unique id. */
    public int uniqueUntil() {
        return uniqueUntil;
    }

    /**
     * The Java string hash of the tag, 0 without one: what the queue index holds and clients ask for. Allocates only for
     * a tag outside of ASCII.
     */
    int tagsHash() {
        int hash = 0;
        for (int i = tagsFrom; i < tagsUntil; i++) {
            byte b = bytes[i];
            if (b < 0) {
                return new String(bytes, tagsFrom, tagsUntil - tagsFrom, UTF_8).hashCode();
            }
            hash = 31 * hash + b;
        }
        return hash;
    }
}
