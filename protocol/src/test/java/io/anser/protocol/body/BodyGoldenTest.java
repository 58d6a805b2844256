package io.anser.protocol.body;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.anser.protocol.GoldenFile;
import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonDialect;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BodyGoldenTest {
    /** Name of the golden file, its reader, its value. */
    static Stream<Arguments> bodies() {
        return Stream.of(
                body("topic-route", TopicRoute::read, Bodies.ROUTE),
                body("cluster-info", ClusterInfo::read, Bodies.CLUSTER),
                body("kv-table", KvTable::read, Bodies.KV),
                body("topic-list", TopicList::read, Bodies.TOPIC_LIST),
                body("heartbeat", HeartbeatData::read, Bodies.HEARTBEAT),
                body("consumer-id-list", ConsumerIdList::read, Bodies.IDS),
                body("lock-batch-request", LockBatch.Request::read, Bodies.LOCK),
                body("lock-batch-response", LockBatch.Response::read, Bodies.LOCKED),
                body("subscription-group-config", SubscriptionGroupConfig::read, Bodies.GROUP),
                body("subscription-group-table", SubscriptionGroupTable::read, Bodies.GROUPS),
                body("topic-stats-table", TopicStatsTable::read, Bodies.STATS),
                body("check-client-config", CheckClientConfigBody::read, Bodies.CHECK));
    }

    private static <T extends JsonBody> Arguments body(String name, Function<byte[], T> reader, T value) {
        return arguments(name, reader, value);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bodies")
    void readsWhatApacheWrites(String name, Function<byte[], JsonBody> reader, JsonBody value) {
        assertThat(reader.apply(GoldenFile.bytes("apache-5.5.0/" + name + ".json")))
                .isEqualTo(value);
        assertThat(reader.apply(GoldenFile.bytes("apache-4.9.8/" + name + ".json")))
                .isEqualTo(value);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bodies")
    void writesWhatApacheWrites(String name, Function<byte[], JsonBody> reader, JsonBody value) {
        assertThat(new String(value.write(), UTF_8)).isEqualTo(GoldenFile.text("apache-5.5.0/" + name + ".json"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bodies")
    void readsBackWhatItWritesInBothDialects(String name, Function<byte[], JsonBody> reader, JsonBody value) {
        assertThat(reader.apply(value.write(JsonDialect.STANDARD))).isEqualTo(value);
        assertThat(reader.apply(value.write(JsonDialect.FASTJSON))).isEqualTo(value);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bodies")
    void takesEveryMemberForOptional(String name, Function<byte[], JsonBody> reader, JsonBody value) {
        JsonBody ofNothing = reader.apply("{\"unknown\":[{\"@type\":\"x\"}]}".getBytes(UTF_8));

        assertThat(reader.apply(ofNothing.write())).isEqualTo(ofNothing);
    }

    @Test
    void quotesBrokerIdsInTheStandardDialect() {
        assertThat(new String(Bodies.ORDERED_ROUTE.write(JsonDialect.STANDARD), UTF_8))
                .isEqualTo(GoldenFile.text("apache-5.5.0/topic-route-standard.json"));
        assertThat(TopicRoute.read(GoldenFile.bytes("apache-5.5.0/topic-route-standard.json")))
                .isEqualTo(Bodies.ORDERED_ROUTE);
    }

    @Test
    void wrapsTheMembersOfABrokerGroup() {
        byte[] golden = GoldenFile.bytes("apache-5.5.0/broker-member-group.json");

        assertThat(BrokerMemberGroup.read(golden)).isEqualTo(Bodies.MEMBERS);
        assertThat(Bodies.MEMBERS.write()).isEqualTo(golden);
    }

    @Test
    void readsAndWritesOneTopic() {
        byte[] golden = GoldenFile.bytes("apache-5.5.0/topic-config.json");

        assertThat(TopicConfig.read(golden)).isEqualTo(Bodies.ORDERS);
        assertThat(Bodies.ORDERS.write()).isEqualTo(golden);
    }

    @Test
    void readsTheTopicsOfABroker() {
        assertThat(TopicConfigTable.read(GoldenFile.bytes("apache-5.5.0/topic-config-table.json")))
                .isEqualTo(Bodies.TOPICS);
        assertThat(TopicConfigTable.read(GoldenFile.bytes("apache-4.9.8/topic-config-table.json")))
                .isEqualTo(Bodies.TOPICS_V4);
    }

    @Test
    void readsQueuesWhoseJsonIsAQuotedName() {
        String quoted =
                "{\"offsetTable\":{\"{\\\"brokerName\\\":\\\"broker-a\\\",\\\"queueId\\\":0,\\\"topic\\\":\\\"Orders\\\"}\""
                        + ":{\"lastUpdateTimestamp\":1700000000456,\"maxOffset\":10,\"minOffset\":2}},\"topicPutTps\":0.0}";

        assertThat(TopicStatsTable.read(quoted.getBytes(UTF_8))).isEqualTo(Bodies.STATS);
    }
}
