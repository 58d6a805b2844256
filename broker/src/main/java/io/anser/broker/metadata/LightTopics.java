package io.anser.broker.metadata;

import io.anser.protocol.body.Perm;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.message.Names;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The topics behind light queues: each has one queue and is there as soon as somebody names it, without a record and unknown
 * to name servers. Messages of other topics are listed in them. Any thread.
 */
final class LightTopics {
    /** Most light queues of a broker; Apache's limit. */
    static final int MAX_TOPICS = 20_000;

    private final ConcurrentHashMap<String, Optional<Topic>> topics = new ConcurrentHashMap<>();
    private final QueueSource source;

    LightTopics(QueueSource source) {
        this.source = source;
    }

    /** Returns the topic of a light queue; empty for another name, one that is no name, and one too many. */
    Optional<Topic> find(String name) {
        if (!Names.isLightQueue(name)) {
            return Optional.empty();
        }
        Optional<Topic> known = topics.get(name);
        if (known != null) {
            return known;
        }
        // Two threads may each make the last one: a few more than the limit do no harm.
        return topics.size() >= MAX_TOPICS || Names.checkTopic(name).isPresent()
                ? Optional.empty()
                : topics.computeIfAbsent(name, this::made);
    }

    private Optional<Topic> made(String name) {
        TopicConfig config = new TopicConfig(name, 1, 1, Perm.READ | Perm.WRITE);
        // No record made it, so the queue of that name is its own whatever was dropped before.
        return Optional.of(new Topic(config, 0, Long.MAX_VALUE, source));
    }

    /** Forgets a topic that was deleted. */
    void forget(String name) {
        topics.remove(name);
    }
}
