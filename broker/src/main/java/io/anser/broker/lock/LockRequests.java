package io.anser.broker.lock;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.body.LockBatch;
import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.frame.ResponseCode;
import java.util.List;
import java.util.Optional;

/** What requests about order locks may ask for. Any thread. */
public final class LockRequests {
    private static final int MAX_CLIENT_ID_CHARS = 255;

    private final TopicTable topics;
    private final String brokerName;

    /** Makes the rules of one broker. */
    public LockRequests(TopicTable topics, String brokerName) {
        this.topics = topics;
        this.brokerName = brokerName;
    }

    Optional<Refusal> refusal(LockBatch.Request request) {
        int chars = request.clientId().length();
        if (chars > 0 && chars <= MAX_CLIENT_ID_CHARS) {
            return Optional.empty();
        }
        return Optional.of(new Refusal(
                ResponseCode.SYSTEM_ERROR,
                "clientId has " + chars + " characters, 1 to " + MAX_CLIENT_ID_CHARS + " are allowed"));
    }

    /** Returns the queues of the request that this broker has. */
    List<MessageQueue> here(LockBatch.Request request) {
        return request.mqSet().stream().filter(this::isHere).toList();
    }

    private boolean isHere(MessageQueue queue) {
        Optional<Topic> topic = topics.find(queue.topic());
        return queue.brokerName().equals(brokerName)
                && topic.isPresent()
                && topic.get().hasQueue(queue.queueId());
    }

    List<QueueKey> keys(LockBatch.Request request, List<MessageQueue> queues) {
        return queues.stream()
                .map(queue -> new QueueKey(request.consumerGroup(), queue.topic(), queue.queueId()))
                .toList();
    }
}
