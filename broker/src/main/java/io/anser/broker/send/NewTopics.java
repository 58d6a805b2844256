package io.anser.broker.send;

import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.body.Perm;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.operation.SendMessage;
import java.util.Map;
import java.util.Optional;

/** Which topic a send to an unknown one creates. Any thread. */
public final class NewTopics {
    /** Most topics that a broker may have when a send creates one more; an operator may create more. */
    static final int MAX_TOPICS = 50_000;

    private final TopicTable topics;
    private final boolean enabled;
    private final int maxQueues;

    /**
     * Makes the rule.
     *
     * @param enabled whether sends create topics at all
     * @param maxQueues most queues of a topic made so
     */
    public NewTopics(TopicTable topics, boolean enabled, int maxQueues) {
        this.topics = topics;
        this.enabled = enabled;
        this.maxQueues = maxQueues;
    }

    /** Returns the topic that the send may create after the pattern it names; empty: none. */
    Optional<TopicConfig> of(SendMessage.Request request) {
        if (!enabled || topics.size() >= MAX_TOPICS) {
            return Optional.empty();
        }
        return topics.find(request.defaultTopic())
                .filter(Topic::inheritable)
                .map(pattern -> after(pattern.config(), request));
    }

    private TopicConfig after(TopicConfig pattern, SendMessage.Request request) {
        int queues = Math.min(request.defaultTopicQueueNums(), Math.min(pattern.writeQueueNums(), maxQueues));
        queues = Math.max(1, queues);
        return new TopicConfig(
                request.topic(),
                queues,
                queues,
                pattern.perm() & ~Perm.INHERIT,
                pattern.topicFilterType(),
                pattern.topicSysFlag(),
                false,
                Map.of());
    }
}
