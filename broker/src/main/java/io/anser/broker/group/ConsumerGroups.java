package io.anser.broker.group;

import io.anser.broker.filter.Subscription;
import io.anser.protocol.operation.NotifyConsumerIdsChanged;
import io.anser.system.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * The consumers of each group that are there now, and their subscriptions.
 *
 * <p>Any thread. The members of a group are an immutable map that is replaced as a whole, so a reader sees them as they
 * were at one moment. Whenever a member joins, leaves or wants something else, all members are told at once.
 */
public final class ConsumerGroups {
    /** A consumer that is silent for longer is gone, in milliseconds. */
    public static final long EXPIRY_MILLIS = 120_000;

    private final Clock clock;
    private final Predicate<String> notified;
    private final ConcurrentHashMap<String, Map<String, ConsumerMember>> groups = new ConcurrentHashMap<>();

    /**
     * Makes an empty table.
     *
     * @param notified whether the members of a group want to be told of changes
     */
    public ConsumerGroups(Clock clock, Predicate<String> notified) {
        this.clock = clock;
        this.notified = notified;
    }

    /**
     * Takes note of a consumer that is there.
     *
     * @param subscriptions by topic
     */
    void seen(String group, String clientId, ClientChannel channel, Map<String, Subscription> subscriptions) {
        AtomicBoolean changed = new AtomicBoolean();
        Map<String, ConsumerMember> now = groups.compute(group, (name, members) -> {
            ConsumerMember known = members == null ? null : members.get(clientId);
            if (members != null && known != null && known.isSame(channel, subscriptions)) {
                known.seen(clock.nanos());
                return members;
            }
            ConsumerMember member = new ConsumerMember(clientId, channel, subscriptions, clock.nanos());
            changed.set(known == null || member.mattersInsteadOf(known));
            Map<String, ConsumerMember> next = members == null ? new HashMap<>() : new HashMap<>(members);
            next.put(clientId, member);
            return Map.copyOf(next);
        });
        if (changed.get()) {
            tell(group, now.values());
        }
    }

    /** Takes note of a consumer that is there and says nothing about its subscriptions; it keeps those it had. */
    void seen(String group, String clientId, ClientChannel channel) {
        seen(
                group,
                clientId,
                channel,
                member(group, clientId).map(ConsumerMember::subscriptions).orElse(Map.of()));
    }

    /** Takes a consumer out, unless it has meanwhile come back over another channel. */
    void gone(String group, String clientId, ClientChannel channel) {
        remove(
                group,
                member -> member.clientId().equals(clientId) && member.channel().equals(channel));
    }

    /** Takes out all consumers that were silent for too long. */
    void expire() {
        long now = clock.nanos();
        long life = TimeUnit.MILLISECONDS.toNanos(EXPIRY_MILLIS);
        groups.keySet().forEach(group -> remove(group, member -> now - member.seenNanos() > life));
    }

    private void remove(String group, Predicate<ConsumerMember> which) {
        AtomicBoolean changed = new AtomicBoolean();
        Map<String, ConsumerMember> left = groups.computeIfPresent(group, (name, members) -> {
            Map<String, ConsumerMember> next = new HashMap<>(members);
            if (!next.values().removeIf(which)) {
                return members;
            }
            changed.set(true);
            return next.isEmpty() ? null : Map.copyOf(next);
        });
        if (changed.get() && left != null) {
            tell(group, left.values());
        }
    }

    private void tell(String group, Collection<ConsumerMember> members) {
        if (notified.test(group)) {
            NotifyConsumerIdsChanged.Request notice = new NotifyConsumerIdsChanged.Request(group);
            members.forEach(member -> member.channel().sendOneWay(NotifyConsumerIdsChanged.CODE, notice));
        }
    }

    private Optional<ConsumerMember> member(String group, String clientId) {
        return Optional.ofNullable(members(group).get(clientId));
    }

    private Map<String, ConsumerMember> members(String group) {
        return groups.getOrDefault(group, Map.of());
    }

    /** Returns the client ids of the group's members in their natural order; empty if there are none. */
    public List<String> clientIds(String group) {
        return members(group).keySet().stream().sorted().toList();
    }

    /**
     * Returns what the group wants of the topic: what the member on this channel asked for, else what another member asked
     * for most recently.
     */
    public Optional<Subscription> subscription(ClientChannel channel, String group, String topic) {
        Collection<ConsumerMember> members = members(group).values();
        Subscription newest = null;
        for (ConsumerMember member : members) {
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
}
