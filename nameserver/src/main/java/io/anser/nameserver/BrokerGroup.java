package io.anser.nameserver;

import io.anser.protocol.body.BrokerData;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.operation.RegisterBroker.Standing;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The registered members of one broker name; never empty. Its topics are the master's while there is one, then those of the
 * replica that knows most.
 *
 * <p>A group without a registered master still has an address under the master's id where its members take requests to the
 * leader: one that has not said that it knows none, else any. An Apache client drops a broker without that id from its
 * routes, and would find it again half a minute later.
 *
 * @param cluster the cluster it belongs to
 * @param brokerName its name
 * @param members by broker id
 */
record BrokerGroup(String cluster, String brokerName, SortedMap<Long, Member> members) {
    private static final Comparator<Member> BY_KNOWLEDGE = Comparator.<Member>comparingLong(
                    member -> member.topics().dataVersion().stateVersion())
            .thenComparingLong(member -> member.topics().dataVersion().counter());

    BrokerGroup {
        members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
    }

    Map<String, TopicConfig> topics() {
        Member master = members.get(BrokerData.MASTER_ID);
        return (master == null ? Collections.max(members.values(), BY_KNOWLEDGE) : master)
                .topics()
                .topicConfigTable();
    }

    /** The group with a member more; the member leaves the id it had before, as a promoted replica does. */
    BrokerGroup with(Member joined) {
        SortedMap<Long, Member> changed = new TreeMap<>(members);
        changed.values().removeIf(member -> member.address().equals(joined.address()));
        changed.put(joined.brokerId(), joined);
        return new BrokerGroup(cluster, brokerName, changed);
    }

    /** The member that is shown under the master's id while there is no master. */
    private Optional<Member> standIn() {
        if (members.containsKey(BrokerData.MASTER_ID)) {
            return Optional.empty();
        }
        Optional<Member> withLeader = members.values().stream()
                .filter(member -> member.standing() == Standing.IN_GROUP)
                .findFirst();
        return withLeader.or(
                () -> members.values().stream().filter(Member::isInGroup).findFirst());
    }

    BrokerGroup mapMembers(UnaryOperator<Member> change) {
        SortedMap<Long, Member> changed = new TreeMap<>(members);
        changed.replaceAll((id, member) -> change.apply(member));
        return new BrokerGroup(cluster, brokerName, changed);
    }

    /** Addresses as clients see them. */
    BrokerData addresses(UnaryOperator<String> translate) {
        SortedMap<Long, String> addresses = new TreeMap<>();
        Optional<Member> standIn = standIn();
        members.forEach((id, member) -> {
            boolean standsIn = standIn.isPresent() && standIn.get().brokerId() == id;
            addresses.put(standsIn ? BrokerData.MASTER_ID : id, translate.apply(member.address()));
        });
        boolean actingMaster = members.values().stream().anyMatch(Member::actingMaster);
        return new BrokerData(cluster, brokerName, addresses, "", actingMaster);
    }
}
