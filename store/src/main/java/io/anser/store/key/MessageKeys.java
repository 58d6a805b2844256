package io.anser.store.key;

import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.MessageView;
import java.nio.ByteBuffer;

/**
 * Where the keys of one message lie in its property block: the words of KEYS, separated by spaces, and the unique id. Finds
 * both in one walk and allocates nothing, because every message that is ever stored passes here. Owned by one thread.
 */
final class MessageKeys {
    private static final int KEYS = 'K' << 24 | 'E' << 16 | 'Y' << 8 | 'S';
    private static final long UNIQ_KEY = 'U' * (1L << 56)
            + 'N' * (1L << 48)
            + 'I' * (1L << 40)
            + 'Q' * (1L << 32)
            + '_' * (1L << 24)
            + 'K' * (1L << 16)
            + 'E' * (1L << 8)
            + 'Y';

    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int at;
    private int until;
    private int wordFrom;
    private int uniqueFrom;
    private int uniqueUntil;

    /** Takes what a message carries. The buffer is the one that the view stands on. */
    MessageKeys locate(ByteBuffer source, MessageView view) {
        buffer = source;
        at = 0;
        until = 0;
        wordFrom = 0;
        uniqueFrom = 0;
        uniqueUntil = 0;
        int end = view.propertiesOffset() + view.propertiesLength();
        for (int entry = view.propertiesOffset(); entry < end; ) {
            int entryEnd = entryEnd(source, entry, end);
            property(entry, entryEnd);
            entry = entryEnd + 1;
        }
        return this;
    }

    /** Of two properties with one name the last one counts, as everywhere. */
    private void property(int entry, int entryEnd) {
        int keysFrom = entry + Integer.BYTES + 1;
        if (keysFrom < entryEnd
                && buffer.getInt(entry) == KEYS
                && buffer.get(keysFrom - 1) == MessageProperties.NAME_END) {
            at = keysFrom;
            until = entryEnd;
        }
        int idFrom = entry + Long.BYTES + 1;
        if (idFrom < entryEnd
                && buffer.getLong(entry) == UNIQ_KEY
                && buffer.get(idFrom - 1) == MessageProperties.NAME_END) {
            uniqueFrom = idFrom;
            uniqueUntil = entryEnd;
        }
    }

    /** Position of the byte that ends a property, eight bytes at a time. */
    private static int entryEnd(ByteBuffer block, int from, int end) {
        int position = from;
        for (; position + Long.BYTES <= end; position += Long.BYTES) {
            int before = MessageProperties.bytesBeforeEnd(block.getLong(position));
            if (before < Long.BYTES) {
                return position + before;
            }
        }
        while (position < end && block.get(position) != MessageProperties.VALUE_END) {
            position++;
        }
        return position;
    }

    /** The hash of the message's topic, which the hashes of its keys begin with. */
    static long topicHash(ByteBuffer source, MessageView view) {
        int topicUntil = view.propertiesOffset() - Short.BYTES;
        return KeyHash.topic(source, topicUntil - view.topicLength(), topicUntil);
    }

    /** Whether the message has neither a unique id nor KEYS. */
    boolean isEmpty() {
        return at == until && !hasUnique();
    }

    /** Whether it has a unique id. */
    boolean hasUnique() {
        return uniqueUntil > uniqueFrom;
    }

    /** The hash of the unique id. */
    int uniqueHash(long topic) {
        return KeyHash.of(topic, buffer, uniqueFrom, uniqueUntil);
    }

    /** The hash of the word. */
    int wordHash(long topic) {
        return KeyHash.of(topic, buffer, wordFrom, at);
    }

    /** Goes to the next word of KEYS; false when there is none. */
    boolean nextWord() {
        while (at < until && buffer.get(at) == ' ') {
            at++;
        }
        wordFrom = at;
        while (at < until && buffer.get(at) != ' ') {
            at++;
        }
        return at > wordFrom;
    }

    /** Whether the message has exactly this unique id, or, unless only that counts, exactly this word in KEYS. */
    boolean has(MessageView view, byte[] key, boolean uniqueOnly) {
        if (uniqueUntil - uniqueFrom == key.length && view.hasBytes(uniqueFrom, key)) {
            return true;
        }
        while (!uniqueOnly && nextWord()) {
            if (at - wordFrom == key.length && view.hasBytes(wordFrom, key)) {
                return true;
            }
        }
        return false;
    }
}
