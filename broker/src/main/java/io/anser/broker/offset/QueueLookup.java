package io.anser.broker.offset;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.frame.ResponseCode;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import java.util.Optional;

/** Finds the queue that a request names, or says what is wrong with the name. Any thread. */
final class QueueLookup {
    private final TopicTable topics;

    QueueLookup(TopicTable topics) {
        this.topics = topics;
    }

    Optional<Refusal> refusal(String topicName, int queueId) {
        Optional<Topic> topic = topics.find(topicName);
        if (topic.isEmpty()) {
            return Optional.of(new Refusal(ResponseCode.TOPIC_NOT_EXIST, "topic=" + topicName + " does not exist"));
        }
        if (!topic.get().hasQueue(queueId)) {
            return Optional.of(new Refusal(
                    ResponseCode.SYSTEM_ERROR,
                    "queueId=" + queueId + " is not in [0," + topic.get().queueCount() + ") of topic=" + topicName));
        }
        return Optional.empty();
    }

    /**
     * Returns a queue that was not refused.
     *
     * @throws StoreException DROPPED if the topic was deleted meanwhile
     */
    QueueLog queue(String topicName, int queueId) {
        return topics.find(topicName)
                .filter(topic -> topic.hasQueue(queueId))
                .orElseThrow(() -> new StoreException(
                        StoreException.Kind.DROPPED, "topic=" + topicName + " was deleted meanwhile"))
                .queue(queueId);
    }
}
