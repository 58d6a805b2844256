package io.anser.broker;

import io.anser.broker.flow.FlowSettings;
import io.anser.broker.group.GroupSettings;
import io.anser.broker.transaction.TransactionSettings;
import io.anser.system.Setting;
import java.util.List;

/**
 * How one broker works.
 *
 * @param name the broker's name, unique in the cluster
 * @param cluster name of the cluster
 * @param nameservers {@code host:port} of every name server; empty: none
 * @param advertise {@code host:port} that clients and name servers are told; empty: the address of the listener
 * @param maxMessageBytes largest body of one message
 * @param autoCreateTopic whether a send to an unknown topic creates it
 * @param autoCreateGroup whether an unknown consumer group is created when it is first used
 * @param defaultTopicQueues most queues of a topic that a send creates
 * @param maxDelayedMessages most messages that wait for their time
 * @param registrationMillis time between two registrations with the name servers
 * @param followerReadsBehindBytes in a group, how far behind a consumer is that is told to read from a follower
 * @param groups how consumer groups are looked after
 * @param transactions how transactions are looked after
 * @param flow quotas of topics and clients
 */
public record BrokerSettings(
        @Setting(
                key = "broker.name",
                text = "Name of the broker, unique in its cluster.",
                alias = {"brokerName"})
        String name,

        @Setting(
                key = "broker.cluster",
                text = "Name of the cluster that the broker belongs to.",
                alias = {"brokerClusterName"})
        String cluster,

        @Setting(
                key = "broker.nameservers",
                text = "Addresses host:port of all name servers.",
                live = true,
                alias = {"namesrvAddr"})
        List<String> nameservers,

        @Setting(
                key = "broker.advertise",
                text = "Address host:port that clients use to reach the broker; empty takes the listener's address.",
                alias = {"brokerIP1"})
        String advertise,

        @Setting(
                key = "broker.message-bytes-max",
                text = "Largest body of one message.",
                unit = "bytes",
                min = 1024,
                max = 16 << 20,
                live = true,
                alias = {"maxMessageSize"})
        int maxMessageBytes,

        @Setting(
                key = "broker.auto-create-topic",
                text = "Whether a message to an unknown topic creates it after the pattern TBW102.",
                alias = {"autoCreateTopicEnable"})
        boolean autoCreateTopic,

        @Setting(
                key = "broker.auto-create-group",
                text = "Whether a consumer group is created when it is first used.",
                live = true,
                alias = {"autoCreateSubscriptionGroup"})
        boolean autoCreateGroup,

        @Setting(
                key = "broker.default-topic-queues",
                text = "Most queues of a topic that is created by its first message.",
                unit = "count",
                min = 1,
                max = 1024,
                alias = {"defaultTopicQueueNums"})
        int defaultTopicQueues,

        @Setting(
                key = "broker.delayed-messages-max",
                text = "Delayed messages and retries that may wait, about 100 bytes of memory each; more are refused.",
                unit = "count",
                min = 1000,
                max = 100_000_000,
                live = true)
        int maxDelayedMessages,

        @Setting(
                key = "broker.registration-interval",
                text = "Time between two registrations with the name servers when nothing changes.",
                unit = "ms",
                min = 1000,
                max = 60_000,
                alias = {"registerNameServerPeriod"})
        int registrationMillis,

        @Setting(
                key = "broker.follower-reads-behind",
                text = "In a replicated group, a consumer so far behind the end of the log is told to read from a"
                        + " follower; 0 for never.",
                unit = "bytes",
                min = 0,
                max = 1L << 50)
        long followerReadsBehindBytes,

        GroupSettings groups,
        TransactionSettings transactions,
        FlowSettings flow) {

    /** Copies the list. */
    public BrokerSettings {
        nameservers = List.copyOf(nameservers);
    }

    /** The defaults: a broker by itself on the loopback. */
    public static BrokerSettings defaults() {
        return new BrokerSettings(
                "broker-a",
                "DefaultCluster",
                List.of(),
                "",
                4 << 20,
                true,
                true,
                8,
                1_000_000,
                30_000,
                1L << 30,
                GroupSettings.defaults(),
                TransactionSettings.defaults(),
                FlowSettings.defaults());
    }

    /** The same settings with another distance from which on consumers read from followers. */
    public BrokerSettings withFollowerReadsBehind(long bytes) {
        return new BrokerSettings(
                name,
                cluster,
                nameservers,
                advertise,
                maxMessageBytes,
                autoCreateTopic,
                autoCreateGroup,
                defaultTopicQueues,
                maxDelayedMessages,
                registrationMillis,
                bytes,
                groups,
                transactions,
                flow);
    }

    /** The same settings with other quotas. */
    public BrokerSettings withFlow(FlowSettings other) {
        return new BrokerSettings(
                name,
                cluster,
                nameservers,
                advertise,
                maxMessageBytes,
                autoCreateTopic,
                autoCreateGroup,
                defaultTopicQueues,
                maxDelayedMessages,
                registrationMillis,
                followerReadsBehindBytes,
                groups,
                transactions,
                other);
    }
}
