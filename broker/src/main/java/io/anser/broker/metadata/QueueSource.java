package io.anser.broker.metadata;

import io.anser.store.queue.QueueLog;

/** Where the handles of queues come from: the store, once it is open. */
@FunctionalInterface
public interface QueueSource {
    /**
     * Returns the handle of a queue and creates it where none was. Called by any thread.
     *
     * @param topic the topic's name
     * @param queueId 0 or more
     */
    QueueLog queue(String topic, int queueId);

    /**
     * Returns the handle of a queue for those who only look. A source that can answers for one that was never used with a
     * handle that it does not keep and that stays empty whatever comes.
     */
    default QueueLog usedOrEmpty(String topic, int queueId) {
        return queue(topic, queueId);
    }
}
