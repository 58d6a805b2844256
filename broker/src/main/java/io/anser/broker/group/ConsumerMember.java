package io.anser.broker.group;

import io.anser.broker.filter.Subscription;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One consumer of a group, as its last heartbeat described it. Immutable but for the time of that heartbeat.
 */
final class ConsumerMember {
    private final String clientId;
    private final ClientChannel channel;
    private final Map<String, Subscription> subscriptions;
    private final Map<String, Subscription> wishes;
    private final boolean sharesQueues;
    private volatile long seenNanos;

    /**
     * Describes a member.
     *
     * @param sharesQueues whether each message is for one of the members; false where it is for all
     */
    ConsumerMember(
            String clientId,
            ClientChannel channel,
            Map<String, Subscription> subscriptions,
            boolean sharesQueues,
            long seenNanos) {
        this.clientId = clientId;
        this.channel = channel;
        this.subscriptions = Map.copyOf(subscriptions);
        this.wishes = subscriptions.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, entry -> entry.getValue().withoutVersion()));
        this.sharesQueues = sharesQueues;
        this.seenNanos = seenNanos;
    }

    String clientId() {
        return clientId;
    }

    ClientChannel channel() {
        return channel;
    }

    /** By topic. */
    Map<String, Subscription> subscriptions() {
        return subscriptions;
    }

    boolean sharesQueues() {
        return sharesQueues;
    }

    /** What it wants of a topic, if it has subscribed to it. */
    Optional<Subscription> wish(String topic) {
        return Optional.ofNullable(wishes.get(topic));
    }

    long seenNanos() {
        return seenNanos;
    }

    void seen(long nanos) {
        seenNanos = nanos;
    }

    /** Says whether nothing changed, versions included. */
    boolean isSame(ClientChannel otherChannel, Map<String, Subscription> others, boolean shares) {
        return channel.equals(otherChannel) && subscriptions.equals(others) && sharesQueues == shares;
    }

    /** Says whether the members of the group have to divide the queues anew if this member takes the other's place. */
    boolean mattersInsteadOf(ConsumerMember other) {
        return !channel.equals(other.channel) || !wishes.equals(other.wishes);
    }
}
