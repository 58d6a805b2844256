package io.anser.nameserver;

import io.anser.protocol.body.BrokerData;
import io.anser.protocol.body.BrokerMemberGroup;
import io.anser.protocol.body.ClusterInfo;
import io.anser.protocol.body.DataVersion;
import io.anser.protocol.body.Perm;
import io.anser.protocol.body.QueueData;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.body.TopicRoute;
import io.anser.system.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Which brokers are alive and which topics they have: the rules of a name server, without network and threads.
 *
 * <p>A registration is ordered before another by its term, then by the connection it came on, then by the version of the
 * topic table, so an old one that arrives late changes nothing. A broker leaves when it says so, when the connection that
 * speaks for it ends, or when it is silent for too long. A name and id that a living broker holds cannot be taken by
 * another address, unless it is a replica of the same group with a higher term: that is a new master.
 *
 * <p>Thread-safe. Changes are serialised by a lock and replace an immutable snapshot; queries only read the snapshot. A
 * route is put together when it is asked for, from the few broker groups, so there is no index to keep in step.
 */
final class RouteTable {
    private static final int MOST_MEMBERS = 64;
    private static final int MOST_NAME_CHARS = 255;

    private final NameServerSettings settings;
    private final Clock clock;
    private final long startNanos;
    private volatile boolean everRegistered;
    private volatile SortedMap<String, BrokerGroup> groups = Collections.emptySortedMap();
    private volatile SortedSet<String> readOnlyBrokers = Collections.emptySortedSet();

    RouteTable(NameServerSettings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
        this.startNanos = clock.nanos();
    }

    /** Whether an unknown topic may yet turn up, because no broker has registered since the start. */
    boolean isWarmingUp() {
        return !everRegistered && clock.nanos() - startNanos < settings.warmUpMillis() * 1_000_000;
    }

    /** Takes a registration; {@code candidate} is what the table will hold. */
    synchronized Registration register(String cluster, String brokerName, Member candidate) {
        BrokerGroup group = groups.get(brokerName);
        Optional<String> refusal = refusal(cluster, brokerName, candidate, group);
        if (refusal.isPresent()) {
            return new Registration.Refused(refusal.get());
        }
        everRegistered = true;
        if (group == null || !group.cluster().equals(cluster)) {
            return join(
                    new BrokerGroup(cluster, brokerName, new TreeMap<>(Map.of(candidate.brokerId(), candidate))),
                    candidate,
                    true);
        }
        Member present = group.members().get(candidate.brokerId());
        boolean isSame = present != null && present.address().equals(candidate.address());
        if (present != null && isSame && present.isNewerThan(candidate)) {
            return join(group.with(present.seen(candidate.connection(), candidate.lastSeenNanos())), candidate, false);
        }
        return join(group.with(candidate), candidate, !isSame);
    }

    private Registration join(BrokerGroup joined, Member member, boolean isNew) {
        replace(joined);
        Member master = joined.members().get(BrokerData.MASTER_ID);
        return master == null || member.brokerId() == BrokerData.MASTER_ID
                ? new Registration.Accepted("", "", isNew)
                : new Registration.Accepted(master.address(), master.haAddress(), isNew);
    }

    private Optional<String> refusal(String cluster, String brokerName, Member candidate, @Nullable BrokerGroup group) {
        if (!isName(cluster) || !isName(brokerName) || !isName(candidate.address())) {
            return Optional.of("clusterName, brokerName and brokerAddr must have 1 to " + MOST_NAME_CHARS
                    + " characters, they have " + cluster.length() + ", " + brokerName.length() + " and "
                    + candidate.address().length());
        }
        Optional<String> tooMuch = refusedForSpace(brokerName, candidate);
        if (tooMuch.isPresent()) {
            return tooMuch;
        }
        if (group == null) {
            return groups.size() < settings.maxBrokers()
                    ? Optional.empty()
                    : Optional.of("the name server holds " + groups.size() + " brokers, its limit");
        }
        long now = candidate.lastSeenNanos();
        for (Member other : group.members().values()) {
            boolean isRival = !other.address().equals(candidate.address()) && !other.isSilent(now);
            if (isRival && !group.cluster().equals(cluster)) {
                return Optional.of("broker name " + brokerName + " belongs to cluster " + group.cluster() + " while "
                        + other.address() + " is alive; give brokers of different clusters different names");
            }
            if (isRival && isOfAnEarlierLead(candidate, other)) {
                return Optional.of("broker name " + brokerName + " had a later leader than " + candidate.address()
                        + ", says " + other.address() + "; it will follow soon, or must be restarted");
            }
            if (isRival && other.brokerId() == candidate.brokerId() && !isPromoted(candidate, other, group)) {
                return Optional.of("broker name " + brokerName + " with id " + candidate.brokerId() + " is taken by "
                        + other.address() + ", which is alive; two brokers need two names or two ids");
            }
        }
        return group.members().size() < MOST_MEMBERS || group.members().containsKey(candidate.brokerId())
                ? Optional.empty()
                : Optional.of("broker name " + brokerName + " has " + MOST_MEMBERS + " members, its limit");
    }

    /** Counts what the table would hold with the candidate in its own place. */
    private Optional<String> refusedForSpace(String brokerName, Member candidate) {
        long bytes = candidate.topicBytes();
        for (BrokerGroup group : groups.values()) {
            for (Member member : group.members().values()) {
                boolean isReplaced = group.brokerName().equals(brokerName)
                        && member.address().equals(candidate.address());
                bytes += isReplaced ? 0 : member.topicBytes();
            }
        }
        return bytes <= settings.maxTopicBytes()
                ? Optional.empty()
                : Optional.of("the topics of all brokers would take bytes=" + bytes + " limit="
                        + settings.maxTopicBytes() + " (nameserver.max-topic-bytes)");
    }

    /** Whether a broker says that it leads, and another member of its group knows that somebody has led later. */
    private static boolean isOfAnEarlierLead(Member candidate, Member other) {
        return candidate.brokerId() == BrokerData.MASTER_ID
                && candidate.isInGroup()
                && other.isInGroup()
                && other.topics().dataVersion().stateVersion()
                        > candidate.topics().dataVersion().stateVersion();
    }

    /** Whether a replica of this group takes over in a later term; a stranger with a high term is no such replica. */
    private static boolean isPromoted(Member candidate, Member holder, BrokerGroup group) {
        boolean isReplica = group.members().values().stream()
                .anyMatch(member -> member.address().equals(candidate.address()));
        return isReplica
                && candidate.topics().dataVersion().stateVersion()
                        > holder.topics().dataVersion().stateVersion();
    }

    private static boolean isName(String name) {
        return !name.isBlank() && name.length() <= MOST_NAME_CHARS;
    }

    /**
     * Takes a broker out because it says so.
     *
     * @param connection the connection that says so; if a later one speaks for the broker, nothing happens
     * @return whether the broker was taken out
     */
    synchronized boolean unregister(String brokerName, long brokerId, String address, long connection) {
        return !remove(
                        member -> member.brokerId() == brokerId
                                && member.address().equals(address)
                                && member.connection() <= connection,
                        brokerName::equals)
                .isEmpty();
    }

    /** Takes out the brokers that this connection speaks for; returns their addresses. */
    synchronized List<String> connectionEnded(long connection) {
        return remove(member -> member.connection() == connection, any -> true);
    }

    /** Takes out the brokers that were silent for too long; returns their addresses. */
    synchronized List<String> removeSilent() {
        long now = clock.nanos();
        return remove(member -> member.isSilent(now), any -> true);
    }

    private List<String> remove(Predicate<Member> leaves, Predicate<String> fromGroup) {
        List<String> left = new ArrayList<>();
        SortedMap<String, BrokerGroup> changed = new TreeMap<>();
        groups.forEach((name, group) -> {
            SortedMap<Long, Member> staying = new TreeMap<>(group.members());
            if (fromGroup.test(name)) {
                staying.values().removeIf(member -> leaves.test(member) && left.add(member.address()));
            }
            if (!staying.isEmpty()) {
                changed.put(name, new BrokerGroup(group.cluster(), name, staying));
            }
        });
        if (!left.isEmpty()) {
            groups = Collections.unmodifiableSortedMap(changed);
        }
        return left;
    }

    private void replace(BrokerGroup group) {
        SortedMap<String, BrokerGroup> changed = new TreeMap<>(groups);
        changed.put(group.brokerName(), group);
        groups = Collections.unmodifiableSortedMap(changed);
    }

    /**
     * Notes that a broker was heard of.
     *
     * @return the version of the topic table it registered with; empty if it should register again
     */
    synchronized Optional<DataVersion> heardOf(String brokerName, String address, long connection) {
        BrokerGroup group = groups.get(brokerName);
        if (group == null) {
            return Optional.empty();
        }
        Optional<Member> member = group.members().values().stream()
                .filter(each -> each.address().equals(address))
                .findFirst();
        member.ifPresent(each -> replace(group.with(each.seen(connection, clock.nanos()))));
        return member.map(each -> each.topics().dataVersion());
    }

    /** Where the queues of a topic are; empty if no broker has it. Broker groups come in the order of their names. */
    Optional<TopicRoute> route(String topic, String orderTopicConf, UnaryOperator<String> translate) {
        List<QueueData> queues = new ArrayList<>();
        List<BrokerData> brokers = new ArrayList<>();
        for (BrokerGroup group : groups.values()) {
            TopicConfig config = group.topics().get(topic);
            if (config != null) {
                queues.add(new QueueData(
                        group.brokerName(),
                        config.readQueueNums(),
                        config.writeQueueNums(),
                        effectivePerm(group.brokerName(), config.perm()),
                        config.topicSysFlag()));
                brokers.add(group.addresses(translate));
            }
        }
        return queues.isEmpty()
                ? Optional.empty()
                : Optional.of(new TopicRoute(orderTopicConf, queues, brokers, Map.of()));
    }

    private int effectivePerm(String brokerName, int perm) {
        return readOnlyBrokers.contains(brokerName) ? perm & ~Perm.WRITE : perm;
    }

    /**
     * Takes the write permission of a broker's topics away, or gives it back. It stays away, whatever the broker registers
     * meanwhile, until it is given back.
     *
     * @return how many topics this concerns
     */
    synchronized int setWritable(String brokerName, boolean writable) {
        BrokerGroup group = groups.get(brokerName);
        if (group == null && !readOnlyBrokers.contains(brokerName)) {
            return 0;
        }
        SortedSet<String> changed = new TreeSet<>(readOnlyBrokers);
        if (writable) {
            changed.remove(brokerName);
        } else {
            changed.add(brokerName);
        }
        readOnlyBrokers = Collections.unmodifiableSortedSet(changed);
        return group == null
                ? 0
                : (int) group.topics().values().stream()
                        .filter(topic -> Perm.isWritable(topic.perm()))
                        .count();
    }

    /** Names of all topics, of one cluster or of all. */
    SortedSet<String> topics(Predicate<String> ofCluster) {
        SortedSet<String> names = new TreeSet<>();
        for (BrokerGroup group : groups.values()) {
            if (ofCluster.test(group.cluster())) {
                names.addAll(group.topics().keySet());
            }
        }
        return names;
    }

    /** Names of the topics whose settings have what is asked for, on at least one broker. */
    SortedSet<String> topicsLike(Predicate<TopicConfig> asked) {
        SortedSet<String> names = new TreeSet<>();
        for (BrokerGroup group : groups.values()) {
            group.topics().forEach((name, config) -> {
                if (asked.test(config)) {
                    names.add(name);
                }
            });
        }
        return names;
    }

    /** Forgets a topic, in one cluster or in all, until a broker registers it again. */
    synchronized void deleteTopic(String topic, Predicate<String> ofCluster) {
        changeTopics(
                group -> ofCluster.test(group.cluster()) && group.topics().containsKey(topic),
                topics -> topics.remove(topic));
    }

    /**
     * Adds a topic, or changes it, on the brokers that the queues name; unknown brokers are passed over.
     *
     * @return why it was not added to one of them
     */
    synchronized Optional<String> addTopic(String topic, Collection<QueueData> queues) {
        for (QueueData queue : queues) {
            BrokerGroup group = groups.get(queue.brokerName());
            if (group == null) {
                continue;
            }
            TopicConfig config = new TopicConfig(topic, queue.readQueueNums(), queue.writeQueueNums(), queue.perm());
            BrokerGroup changed = group.mapMembers(member -> member.withTopics(topics -> topics.put(topic, config)));
            for (Member member : changed.members().values()) {
                Optional<String> tooMuch = refusedForSpace(queue.brokerName(), member);
                if (tooMuch.isPresent()) {
                    return tooMuch;
                }
            }
            replace(changed);
        }
        return Optional.empty();
    }

    private void changeTopics(Predicate<BrokerGroup> where, Member.TopicChange change) {
        for (BrokerGroup group : groups.values()) {
            if (where.test(group)) {
                replace(group.mapMembers(member -> member.withTopics(change)));
            }
        }
    }

    /** All broker groups by name, and the names by cluster. */
    ClusterInfo clusters(UnaryOperator<String> translate) {
        SortedMap<String, BrokerData> brokers = new TreeMap<>();
        SortedMap<String, List<String>> clusters = new TreeMap<>();
        for (BrokerGroup group : groups.values()) {
            brokers.put(group.brokerName(), group.addresses(translate));
            clusters.computeIfAbsent(group.cluster(), any -> new ArrayList<>()).add(group.brokerName());
        }
        return new ClusterInfo(brokers, clusters);
    }

    /** The members of one group; without addresses if it is unknown. */
    BrokerMemberGroup members(String cluster, String brokerName, UnaryOperator<String> translate) {
        BrokerGroup group = groups.get(brokerName);
        return group == null || !group.cluster().equals(cluster)
                ? new BrokerMemberGroup(cluster, brokerName, Collections.emptySortedMap())
                : new BrokerMemberGroup(
                        cluster, brokerName, group.addresses(translate).brokerAddrs());
    }

    /** Names of all clusters and broker groups: topics of these names exist on every broker for its own use. */
    Set<String> systemTopics() {
        SortedSet<String> names = new TreeSet<>();
        for (BrokerGroup group : groups.values()) {
            names.add(group.cluster());
            names.add(group.brokerName());
        }
        return names;
    }
}
