package io.anser.protocol.body;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The values that the golden files hold. */
final class Bodies {
    static final MessageQueue QUEUE = new MessageQueue("Orders", "broker-a", 2);
    static final SubscriptionData SUBSCRIPTION = SubscriptionData.ofTags("Orders", "TagA || TagB", 1_700_000_000_123L);
    static final BrokerData BROKER =
            new BrokerData("DefaultCluster", "broker-a", Map.of(0L, "10.0.0.1:10911", 1L, "10.0.0.2:10911"));
    static final TopicRoute ROUTE = new TopicRoute(List.of(new QueueData("broker-a", 8, 4, 6, 0)), List.of(BROKER));
    static final TopicRoute ORDERED_ROUTE =
            new TopicRoute("broker-a:4", ROUTE.queueDatas(), ROUTE.brokerDatas(), Map.of());
    static final ClusterInfo CLUSTER =
            new ClusterInfo(Map.of("broker-a", BROKER), Map.of("DefaultCluster", List.of("broker-a")));
    static final BrokerMemberGroup MEMBERS =
            new BrokerMemberGroup("DefaultCluster", "broker-a", new TreeMap<>(BROKER.brokerAddrs()));
    static final TopicConfig ORDERS = new TopicConfig("Orders", 8, 4, 6);
    static final DataVersion VERSION = new DataVersion(0, 1_700_000_000_123L, 7);
    static final TopicConfigTable TOPICS = topics(true, Map.of("message.type", "FIFO"));
    /** As 4.9 writes it: topics have no attributes. */
    static final TopicConfigTable TOPICS_V4 = topics(true, Map.of());

    static final SubscriptionGroupConfig GROUP = new SubscriptionGroupConfig(
            "cg", true, true, true, false, 1, 3, GroupRetryPolicy.STANDARD, 0, 1, true, 0, 15, Map.of());
    static final SubscriptionGroupTable GROUPS = new SubscriptionGroupTable(Map.of("cg", GROUP), VERSION);
    static final KvTable KV = new KvTable(Map.of("Orders", "broker-a:4"));
    static final TopicList TOPIC_LIST = new TopicList(Ordered.copy(List.of("Orders", "TBW102")));
    static final ConsumerIdList IDS = new ConsumerIdList(List.of("10.0.0.9@4711", "10.0.0.8@4711"));
    static final LockBatch.Request LOCK = new LockBatch.Request("cg", "10.0.0.9@4711", false, Set.of(QUEUE));
    static final LockBatch.Response LOCKED = new LockBatch.Response(Set.of(QUEUE));
    static final HeartbeatData HEARTBEAT = new HeartbeatData(
            "10.0.0.9@4711",
            List.of(new ProducerData("pg")),
            List.of(new ConsumerData(
                    "cg",
                    ConsumeType.CONSUME_PASSIVELY,
                    MessageModel.BROADCASTING,
                    ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET,
                    List.of(SUBSCRIPTION),
                    false)));
    static final CheckClientConfigBody CHECK = new CheckClientConfigBody("10.0.0.9@4711", "cg", "", SUBSCRIPTION);
    static final TopicStatsTable STATS = new TopicStatsTable(
            Map.of(new MessageQueue("Orders", "broker-a", 0), new TopicOffset(2, 10, 1_700_000_000_456L)), 0.0);

    private Bodies() {}

    /** The topics of the registration; its compressed form does not carry the order of the second one. */
    static TopicConfigTable topics(boolean order, Map<String, String> attributes) {
        TopicConfig retry = new TopicConfig("%RETRY%g", 1, 1, 6, TopicFilterType.SINGLE_TAG, 0, order, attributes);
        Map<String, TopicConfig> topics = new TreeMap<>(Comparator.reverseOrder());
        topics.put("Orders", ORDERS);
        topics.put("%RETRY%g", retry);
        return new TopicConfigTable(topics, VERSION);
    }
}
