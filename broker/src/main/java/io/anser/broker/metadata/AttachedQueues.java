package io.anser.broker.metadata;

import io.anser.store.queue.QueueLog;
import org.jspecify.annotations.Nullable;

/** The queues of a store that is opened later than those are made who ask for its queues. Any thread asks. */
final class AttachedQueues implements QueueSource {
    private volatile @Nullable QueueSource source;

    /** Tells where the queues come from; called once, before anybody asks for one. */
    void attach(QueueSource opened) {
        source = opened;
    }

    @Override
    public QueueLog queue(String topic, int queueId) {
        return source(topic).queue(topic, queueId);
    }

    @Override
    public QueueLog usedOrEmpty(String topic, int queueId) {
        return source(topic).usedOrEmpty(topic, queueId);
    }

    private QueueSource source(String topic) {
        QueueSource known = source;
        if (known == null) {
            throw new IllegalStateException("topic=" + topic + " is asked for a queue before the store is open");
        }
        return known;
    }
}
