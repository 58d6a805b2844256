package io.anser.store.state;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The store's own state change that drops a topic: all its messages before it are gone, and a queue of that name begins
 * again at offset 0. Its payload is the topic's name in UTF-8.
 *
 * <p>Whoever deletes a topic appends it, in one unit with the owner's change, if there is one. It may not share a unit with
 * messages of the topic.
 */
public final class TopicDrop {
    /** The number of this kind in the log. */
    public static final short KIND = StateChange.STORE_KINDS_FROM + 1;

    private TopicDrop() {}

    /** Bytes of the item that drops a topic. */
    public static int bytes(String topic) {
        return StateChange.bytes(topic.getBytes(StandardCharsets.UTF_8).length);
    }

    /** Writes the item. */
    public static void write(ByteBuffer target, String topic) {
        StateChange.write(target, KIND, topic.getBytes(StandardCharsets.UTF_8));
    }

    /** Reads the topic's name from a payload, which is consumed. */
    public static String topic(ByteBuffer payload) {
        return StandardCharsets.UTF_8.decode(payload).toString();
    }
}
