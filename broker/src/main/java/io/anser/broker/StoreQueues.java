package io.anser.broker;

import io.anser.broker.metadata.QueueSource;
import io.anser.store.MessageStore;
import io.anser.store.queue.QueueLog;

/**
 * The queues of a store.
 *
 * @param store open as long as anybody asks
 */
record StoreQueues(MessageStore store) implements QueueSource {
    @Override
    public QueueLog queue(String topic, int queueId) {
        return store.queue(topic, queueId);
    }

    @Override
    public QueueLog usedOrEmpty(String topic, int queueId) {
        return store.usedOrEmptyQueue(topic, queueId);
    }
}
