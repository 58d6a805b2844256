package io.anser.broker.metadata;

import java.nio.ByteBuffer;

/**
 * What the messages have in common of which only the latest is kept: half of the SHA-256 of their keys. Nobody can make two
 * keys that are taken for one, which would lose a message.
 *
 * @param high first eight bytes
 * @param low next eight bytes
 */
public record ValueKey(long high, long low) {
    /** The key of a message by its property KEYS, which counts as a whole; holds it in {@code [from, until)}. */
    static ValueKey of(byte[] keys, int from, int until) {
        ByteBuffer hash = ByteBuffer.wrap(DedupKey.sha256(keys, from, until));
        return new ValueKey(hash.getLong(), hash.getLong());
    }
}
