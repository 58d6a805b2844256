package io.anser.broker.metadata;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What two sends of one message have in common: half of the SHA-256 of the topic and the message's key. Nobody can make two
 * keys that are taken for one, which would lose a message.
 *
 * @param high first eight bytes
 * @param low next eight bytes
 */
public record DedupKey(long high, long low) {
    /** Where a key comes from; the same text from another place is another key. */
    public enum Origin {
        /** The id that clients give every message by themselves. */
        UNIQUE_ID((byte) 0),
        /** A key that the application chose. */
        EXPLICIT((byte) 1);

        /** Part of every key, so it never changes. */
        private final byte code;

        Origin(byte code) {
            this.code = code;
        }
    }

    /**
     * The key of a message for a topic; a topic made anew under the same name has others.
     *
     * @param block holds the key's text in {@code [from, until)}
     */
    public static DedupKey of(Topic topic, Origin origin, byte[] block, int from, int until) {
        MessageDigest digest = sha256();
        digest.update(topic.nameBytes());
        digest.update(ByteBuffer.allocate(1 + Long.BYTES)
                .put(origin.code)
                .putLong(topic.createdMillis())
                .flip());
        digest.update(block, from, until - from);
        ByteBuffer hash = ByteBuffer.wrap(digest.digest());
        return new DedupKey(hash.getLong(), hash.getLong());
    }

    static byte[] sha256(byte[] bytes, int from, int until) {
        MessageDigest digest = sha256();
        digest.update(bytes, from, until - from);
        return digest.digest();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
