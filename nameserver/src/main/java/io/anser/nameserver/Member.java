package io.anser.nameserver;

import io.anser.protocol.body.DataVersion;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.body.TopicConfigTable;
import io.anser.protocol.operation.RegisterBroker.Standing;
import java.util.HashMap;
import java.util.Map;

/**
 * One registered broker: a member of a broker group.
 *
 * @param brokerId 0 for the master, others for replicas
 * @param address {@code host:port} for clients
 * @param haAddress {@code host:port} for replicas
 * @param connection number of the connection that speaks for the broker; a larger one was made later
 * @param topics the broker's topics and their version
 * @param actingMaster whether the broker allows a replica to act as master
 * @param timeoutMillis silence after which the broker counts as gone
 * @param lastSeenNanos when it was heard of last
 * @param standing how the broker stands to the leader of its group
 * @param topicBytes what the topics take in memory, estimated
 */
record Member(
        long brokerId,
        String address,
        String haAddress,
        long connection,
        TopicConfigTable topics,
        boolean actingMaster,
        long timeoutMillis,
        long lastSeenNanos,
        Standing standing,
        long topicBytes) {
    private static final int TOPIC_BYTES = 128;
    private static final int ATTRIBUTE_BYTES = 64;

    Member(
            long brokerId,
            String address,
            String haAddress,
            long connection,
            TopicConfigTable topics,
            boolean actingMaster,
            long timeoutMillis,
            long lastSeenNanos,
            Standing standing) {
        this(
                brokerId,
                address,
                haAddress,
                connection,
                topics,
                actingMaster,
                timeoutMillis,
                lastSeenNanos,
                standing,
                bytesOf(topics));
    }

    private static long bytesOf(TopicConfigTable topics) {
        long bytes = 0;
        for (TopicConfig topic : topics.topicConfigTable().values()) {
            bytes += TOPIC_BYTES + topic.topicName().length();
            for (Map.Entry<String, String> attribute : topic.attributes().entrySet()) {
                bytes += ATTRIBUTE_BYTES
                        + attribute.getKey().length()
                        + attribute.getValue().length();
            }
        }
        return bytes;
    }

    /** The same broker, heard of now, by its newest connection. */
    Member seen(long byConnection, long nowNanos) {
        return new Member(
                brokerId,
                address,
                haAddress,
                Math.max(connection, byConnection),
                topics,
                actingMaster,
                timeoutMillis,
                nowNanos,
                standing,
                topicBytes);
    }

    /** The same broker with one topic more, changed, or less. */
    Member withTopics(TopicChange change) {
        Map<String, TopicConfig> changed = new HashMap<>(topics.topicConfigTable());
        change.apply(changed);
        return new Member(
                brokerId,
                address,
                haAddress,
                connection,
                new TopicConfigTable(changed, topics.dataVersion()),
                actingMaster,
                timeoutMillis,
                lastSeenNanos,
                standing);
    }

    /** Whether it takes to its group's leader what only that can do, or would if it knew one. */
    boolean isInGroup() {
        return standing != Standing.ALONE;
    }

    /** Changes a broker's topics. */
    @FunctionalInterface
    interface TopicChange {
        void apply(Map<String, TopicConfig> topics);
    }

    boolean isSilent(long nowNanos) {
        return nowNanos - lastSeenNanos >= timeoutMillis * 1_000_000;
    }

    /**
     * Whether a newer registration of the same broker is stale. Within one connection a table with fewer changes is older;
     * of two connections the later one wins however they count, because a broker whose disk was wiped counts from the
     * beginning.
     */
    boolean isNewerThan(Member candidate) {
        DataVersion own = topics.dataVersion();
        DataVersion other = candidate.topics.dataVersion();
        if (own.stateVersion() != other.stateVersion()) {
            return own.stateVersion() > other.stateVersion();
        }
        if (candidate.connection != connection) {
            return candidate.connection < connection;
        }
        return own.counter() > other.counter();
    }
}
