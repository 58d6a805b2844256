package io.anser.broker.group;

import io.anser.broker.filter.Subscription;
import io.anser.protocol.operation.NotifyConsumerIdsChanged;
import io.anser.system.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The consumers of each group that are there now, and their subscriptions.
 *
 * <p>Any thread. The members of a group are an immutable value that is replaced as a whole, so a reader sees them as they
 * were at one moment. Whenever a member joins, leaves or wants something else, all members are told at once; where they
 * come to contradict each other, that is logged once.
 */
public final class ConsumerGroups {
    /** A consumer that is silent for longer is gone, in milliseconds. */
    public static final long EXPIRY_MILLIS = 120_000;

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerGroups.class);

    private final Clock clock;
    private final Predicate<String> notified;
    private final ConcurrentHashMap<String, GroupMembers> groups = new ConcurrentHashMap<>();
    private final AtomicLong conflictsSeen = new AtomicLong();

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
     * @param sharesQueues whether each message is for one member of the group; false: for all
     */
    void seen(
            String group,
            String clientId,
            ClientChannel channel,
            Map<String, Subscription> subscriptions,
            boolean sharesQueues) {
        AtomicBoolean changed = new AtomicBoolean();
        GroupMembers now = change(group, members -> {
            Optional<ConsumerMember> known = members.find(clientId);
            if (known.isPresent() && known.get().isSame(channel, subscriptions, sharesQueues)) {
                known.get().seen(clock.nanos());
                return members;
            }
            ConsumerMember member = new ConsumerMember(clientId, channel, subscriptions, sharesQueues, clock.nanos());
            changed.set(known.isEmpty() || member.mattersInsteadOf(known.get()));
            return members.with(member);
        });
        if (changed.get()) {
            tell(group, now);
        }
    }

    /** Takes note of a consumer that is there and says nothing about its subscriptions; it keeps those it had. */
    void seen(String group, String clientId, ClientChannel channel, boolean sharesQueues) {
        seen(
                group,
                clientId,
                channel,
                members(group).find(clientId).map(ConsumerMember::subscriptions).orElse(Map.of()),
                sharesQueues);
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
        GroupMembers left = change(group, members -> {
            GroupMembers next = members.without(which);
            changed.set(next.byId().size() < members.byId().size());
            return next;
        });
        if (changed.get()) {
            tell(group, left);
        }
    }

    /** Replaces the members of a group; nobody left: the group is forgotten. */
    private GroupMembers change(String group, UnaryOperator<GroupMembers> how) {
        List<SubscriptionConflict> fresh = new ArrayList<>();
        GroupMembers now = groups.compute(group, (name, known) -> {
            GroupMembers before = known == null ? GroupMembers.NONE : known;
            GroupMembers after = how.apply(before);
            after.conflicts().forEach((topic, conflict) -> {
                if (!before.conflicts().containsKey(topic)) {
                    fresh.add(conflict);
                }
            });
            return after.isEmpty() ? null : after;
        });
        conflictsSeen.addAndGet(fresh.size());
        for (SubscriptionConflict conflict : fresh) {
            LOG.warn(
                    "members of a group subscribe differently and wait for each other; give them the same subscription"
                            + " group={} {}",
                    group,
                    conflict.text());
        }
        return now == null ? GroupMembers.NONE : now;
    }

    private void tell(String group, GroupMembers members) {
        if (notified.test(group)) {
            NotifyConsumerIdsChanged.Request notice = new NotifyConsumerIdsChanged.Request(group);
            members.all().forEach(member -> member.channel().sendOneWay(NotifyConsumerIdsChanged.CODE, notice));
        }
    }

    GroupMembers members(String group) {
        return groups.getOrDefault(group, GroupMembers.NONE);
    }

    /** Returns the client ids of the group's members in their natural order; empty if there are none. */
    public List<String> clientIds(String group) {
        return members(group).byId().keySet().stream().sorted().toList();
    }

    /** Returns the client ids of the members that want the topic, in their natural order; empty if there are none. */
    public List<String> clientIds(String group, String topic) {
        return members(group).all().stream()
                .filter(member -> member.subscriptions().containsKey(topic))
                .map(ConsumerMember::clientId)
                .sorted()
                .toList();
    }

    /** Returns the groups with a member that wants the topic. */
    public List<String> groups(String topic) {
        return groups.keySet().stream()
                .filter(group -> members(group).all().stream()
                        .anyMatch(member -> member.subscriptions().containsKey(topic)))
                .toList();
    }

    /** Tells all members of a group that they have to divide the queues anew. */
    public void tell(String group) {
        tell(group, members(group));
    }

    /**
     * Returns what the group wants of the topic: what the member on this channel asked for, else what another member asked
     * for most recently.
     */
    public Optional<Subscription> subscription(ClientChannel channel, String group, String topic) {
        return members(group).subscription(channel, topic);
    }

    /** Returns what a member of the group asked for most recently of the topic; empty if none wants it, or none is there. */
    public Optional<Subscription> newestSubscription(String group, String topic) {
        return members(group).all().stream()
                .flatMap(member -> Optional.ofNullable(member.subscriptions().get(topic)).stream())
                .max(Comparator.comparingLong(Subscription::version));
    }

    /** Returns the topics that members of the group want; empty if none is there. */
    public Set<String> topics(String group) {
        return members(group).all().stream()
                .flatMap(member -> member.subscriptions().keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns whether somebody of the group is there. */
    public boolean isOnline(String group) {
        return !members(group).isEmpty();
    }

    /** Returns the ways to those members for whom each message is for all of the group; empty if there are none. */
    public List<ClientChannel> broadcasting(String group) {
        return members(group).all().stream()
                .filter(member -> !member.sharesQueues())
                .map(ConsumerMember::channel)
                .toList();
    }

    /**
     * Returns what other members of the group want of the topic, from now on, and the member on this channel does not: it
     * must not pass such messages. Nothing where they agree, and where the one who asks is no member or asks for something
     * else than it has subscribed to.
     */
    public Supplier<List<Subscription>> othersWishes(ClientChannel channel, String group, Subscription asked) {
        GroupMembers then = members(group);
        return () -> {
            GroupMembers now = members(group);
            if (now.equals(then) && !now.disagree(asked.topic())) {
                return List.of();
            }
            Subscription wish = asked.withoutVersion();
            // A member that has changed its own mind meanwhile must not pass what it wants now either.
            boolean isMember = then.isWish(channel, wish) || now.isWish(channel, wish);
            return isMember ? now.otherWishes(wish) : List.of();
        };
    }

    /** Returns the groups whose members subscribe differently now, with who wants what, in the order of their names. */
    public SortedMap<String, String> conflicts() {
        SortedMap<String, String> texts = new TreeMap<>();
        groups.forEach((group, members) -> {
            if (!members.conflicts().isEmpty()) {
                texts.put(
                        group,
                        members.conflicts().values().stream()
                                .map(SubscriptionConflict::text)
                                .sorted()
                                .collect(Collectors.joining("; ")));
            }
        });
        return texts;
    }

    /** Returns how often members of a group came to subscribe differently to a topic since the process started. */
    public long conflictsSeen() {
        return conflictsSeen.get();
    }
}
