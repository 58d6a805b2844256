package io.anser.broker.metadata;

/**
 * One queue as one consumer group sees it.
 *
 * @param group the consumer group
 * @param topic the topic's name
 * @param queueId 0 or more
 */
public record QueueKey(String group, String topic, int queueId) implements Comparable<QueueKey> {
    /** The key as {@code name=value}. */
    String text() {
        return "group=" + group + " topic=" + topic + " queue=" + queueId;
    }

    @Override
    public int compareTo(QueueKey other) {
        int byGroup = group.compareTo(other.group);
        if (byGroup != 0) {
            return byGroup;
        }
        int byTopic = topic.compareTo(other.topic);
        return byTopic != 0 ? byTopic : Integer.compare(queueId, other.queueId);
    }
}
