package io.anser.store.retention;

import java.util.Map;

/**
 * How long messages are kept.
 *
 * @param reserveMillis how long the messages of a topic are kept that asks for nothing else, in milliseconds; at least 1
 * @param logBytes size of the log above which the oldest segments go, as far as no topic asks for a time of its own; 0: no
 *     limit
 * @param topics what topics ask for that ask for something
 */
public record RetentionPolicy(long reserveMillis, long logBytes, Map<String, TopicRetention> topics) {
    /** Checks and copies the values. */
    public RetentionPolicy {
        if (reserveMillis < 1 || logBytes < 0) {
            throw new IllegalArgumentException("reserveMillis=" + reserveMillis + " logBytes=" + logBytes);
        }
        topics = Map.copyOf(topics);
    }

    /** What a topic asks for. */
    public TopicRetention of(String topic) {
        return topics.getOrDefault(topic, TopicRetention.DEFAULT);
    }
}
