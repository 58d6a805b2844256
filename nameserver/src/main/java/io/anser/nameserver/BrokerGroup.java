package io.anser.nameserver;

import io.anser.protocol.body.BrokerData;
import io.anser.protocol.body.TopicConfig;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The registered members of one broker name; never empty. Its topics are those of the member with the smallest id: the
 * master's while there is one, then those of the replica that knows them.
 *
 * @param cluster the cluster it belongs to
 * @param brokerName its name
 * @param members by broker id
 */
record BrokerGroup(String cluster, String brokerName, SortedMap<Long, Member> members) {
    BrokerGroup {
        members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
    }

    Map<String, TopicConfig> topics() {
        return members.values().iterator().next().topics().topicConfigTable();
    }

    /** The group with a member more; the member leaves the id it had before, as a promoted replica does. */
    BrokerGroup with(Member joined) {
        SortedMap<Long, Member> changed = new TreeMap<>(members);
        changed.values().removeIf(member -> member.address().equals(joined.address()));
        changed.put(joined.brokerId(), joined);
        return new BrokerGroup(cluster, brokerName, changed);
    }

    BrokerGroup mapMembers(UnaryOperator<Member> change) {
        SortedMap<Long, Member> changed = new TreeMap<>(members);
        changed.replaceAll((id, member) -> change.apply(member));
        return new BrokerGroup(cluster, brokerName, changed);
    }

    /** Addresses as clients see them. */
    BrokerData addresses(UnaryOperator<String> translate) {
        SortedMap<Long, String> addresses = new TreeMap<>();
        members.forEach((id, member) -> addresses.put(id, translate.apply(member.address())));
        boolean actingMaster = members.values().stream().anyMatch(Member::actingMaster);
        return new BrokerData(cluster, brokerName, addresses, "", actingMaster);
    }
}
