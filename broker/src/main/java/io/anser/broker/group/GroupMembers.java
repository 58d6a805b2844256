package io.anser.broker.group;

import io.anser.broker.filter.Subscription;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The members of one group at one moment, and where they contradict each other. Immutable.
 *
 * @param byId never empty but in {@link #NONE}
 * @param conflicts by topic
 */
record GroupMembers(Map<String, ConsumerMember> byId, Map<String, SubscriptionConflict> conflicts) {
    static final GroupMembers NONE = new GroupMembers(Map.of(), Map.of());

    private static GroupMembers of(Map<String, ConsumerMember> members) {
        return new GroupMembers(Map.copyOf(members), Map.copyOf(SubscriptionConflict.among(members.values())));
    }

    GroupMembers with(ConsumerMember member) {
        Map<String, ConsumerMember> next = new HashMap<>(byId);
        next.put(member.clientId(), member);
        return of(next);
    }

    /** The members without some; this, if none is one of them. */
    GroupMembers without(Predicate<ConsumerMember> which) {
        Map<String, ConsumerMember> next = new HashMap<>(byId);
        return next.values().removeIf(which) ? of(next) : this;
    }

    boolean isEmpty() {
        return byId.isEmpty();
    }

    Collection<ConsumerMember> all() {
        return byId.values();
    }

    /** By client id, in its natural order. */
    List<ConsumerMember> sorted() {
        return byId.values().stream()
                .sorted(Comparator.comparing(ConsumerMember::clientId))
                .toList();
    }

    Optional<ConsumerMember> find(String clientId) {
        return Optional.ofNullable(byId.get(clientId));
    }

    /** What the member on this channel asked for, else what another member asked for most recently. */
    Optional<Subscription> subscription(ClientChannel channel, String topic) {
        Subscription newest = null;
        for (ConsumerMember member : byId.values()) {
            Subscription subscription = member.subscriptions().get(topic);
            if (subscription != null && member.channel().equals(channel)) {
                return Optional.of(subscription);
            }
            if (subscription != null && (newest == null || newest.version() < subscription.version())) {
                newest = subscription;
            }
        }
        return Optional.ofNullable(newest);
    }

    /** Whether the members that share the queues do not all want the same of the topic. */
    boolean disagree(String topic) {
        return conflicts.containsKey(topic);
    }

    /** Whether the member on this channel shares the queues and wants just that; else whoever asks reads on its own account. */
    boolean isWish(ClientChannel channel, Subscription wish) {
        return byId.values().stream()
                .anyMatch(member -> member.channel().equals(channel)
                        && member.sharesQueues()
                        && member.wish(wish.topic()).filter(wish::equals).isPresent());
    }

    /** What else members want of the topic who share the queues. */
    List<Subscription> otherWishes(Subscription wish) {
        return byId.values().stream()
                .filter(ConsumerMember::sharesQueues)
                .flatMap(member -> member.wish(wish.topic()).stream())
                .filter(other -> !other.equals(wish))
                .distinct()
                .toList();
    }
}
