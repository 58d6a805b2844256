package io.anser.client;

import io.anser.protocol.body.MessageQueue;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Where a broadcasting consumer keeps how far it has read, so that it goes on there after a restart. Without one it begins
 * anew each time. Called on the consumer's own thread; may block.
 */
public interface OffsetStore {
    /** The offset saved for a queue, if there is one. */
    OptionalLong load(MessageQueue queue);

    /** Saves for each queue the offset of the first message not yet handled. */
    void save(Map<MessageQueue, Long> offsets);
}
