package io.anser.broker.metadata;

/**
 * Where the message lies that first came with a key: what a send of the same message is told.
 *
 * @param key the key
 * @param position its log position; of a batch that of the first message
 * @param queueId the queue that it is for
 * @param queueOffset its offset in the queue that it was stored in; of a batch that of the first message
 * @param untilMillis wall time from which the key is free again
 * @param unseen whether it is a half message or a delayed one: its key is also free when it ends without being delivered
 */
public record KeyedMessage(
        DedupKey key, long position, int queueId, long queueOffset, long untilMillis, boolean unseen) {
    /** The same when its message was delivered, or its transaction committed. */
    KeyedMessage seen() {
        return new KeyedMessage(key, position, queueId, queueOffset, untilMillis, false);
    }

    KeyedMessage movedTo(long newPosition) {
        return new KeyedMessage(key, newPosition, queueId, queueOffset, untilMillis, unseen);
    }
}
