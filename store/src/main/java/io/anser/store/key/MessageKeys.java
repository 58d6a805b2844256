package io.anser.store.key;

import io.anser.protocol.message.IndexedFields;
import io.anser.protocol.message.MessageView;
import java.util.Arrays;

/**
 * The keys of one message, one after the other: its unique id, then the words of its KEYS, separated by spaces. Allocates
 * nothing. Owned by one thread.
 *
 * <pre>{@code
 * keys.of(message);
 * while (keys.next()) {
 *     use(keys.hash());
 * }
 * }</pre>
 */
final class MessageKeys {
    private static final byte[] NO_BYTES = {};

    private byte[] bytes = NO_BYTES;
    private int uniqueFrom;
    private int uniqueUntil;
    private int wordsAt;
    private int wordsUntil;
    private long topicHash;

    /** Where the current key lies. */
    private int from;

    private int until;
    private boolean isUnique;

    /** Takes the keys of a message, which stay valid as long as the view. */
    void of(MessageView message) {
        IndexedFields fields = message.indexed();
        bytes = fields.bytes();
        uniqueFrom = fields.uniqueFrom();
        uniqueUntil = fields.uniqueUntil();
        wordsAt = fields.keysFrom();
        wordsUntil = fields.keysUntil();
        topicHash = KeyHash.topic(bytes, fields.topicLength());
    }

    /** Goes to the next key; false when there is none. */
    boolean next() {
        isUnique = uniqueUntil > uniqueFrom;
        if (isUnique) {
            from = uniqueFrom;
            until = uniqueUntil;
            uniqueUntil = uniqueFrom;
            return true;
        }
        while (wordsAt < wordsUntil && bytes[wordsAt] == ' ') {
            wordsAt++;
        }
        from = wordsAt;
        while (wordsAt < wordsUntil && bytes[wordsAt] != ' ') {
            wordsAt++;
        }
        until = wordsAt;
        return until > from;
    }

    /** The hash of the key within the message's topic. */
    int hash() {
        return KeyHash.of(topicHash, bytes, from, until);
    }

    /** Whether exactly this is among the keys that are left, or, if only that counts, the unique id. */
    boolean has(byte[] key, boolean uniqueOnly) {
        while (next()) {
            if ((isUnique || !uniqueOnly) && Arrays.equals(bytes, from, until, key, 0, key.length)) {
                return true;
            }
        }
        return false;
    }
}
