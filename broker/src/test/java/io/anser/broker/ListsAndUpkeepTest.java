package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.body.MessageModel;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.body.TopicList;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.CleanUnusedTopic;
import io.anser.protocol.operation.CreateSubscriptionGroupList;
import io.anser.protocol.operation.CreateTopicList;
import io.anser.protocol.operation.GetBrokerHaStatus;
import io.anser.protocol.operation.GetSubscriptionGroupConfig;
import io.anser.protocol.operation.GetSystemTopicListFromBroker;
import io.anser.protocol.operation.GetTopicConfig;
import io.anser.protocol.operation.QueryConsumeQueue;
import io.anser.protocol.operation.UpdateAndGetGroupForbidden;
import io.anser.protocol.operation.ViewBrokerStatsData;
import io.anser.transport.Reply;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topics and groups by the list, figures, the index and what is cleaned. */
class ListsAndUpkeepTest {
    @TempDir
    Path directory;

    private RunningBroker broker;

    @BeforeEach
    void open() throws Exception {
        broker = RunningBroker.open(directory);
    }

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void topicsAreCreatedTogether() throws Exception {
        Reply reply = tell(
                CreateTopicList.CODE,
                "{\"topicConfigList\":[{\"topicName\":\"A\",\"readQueueNums\":2,\"writeQueueNums\":2,\"perm\":6},"
                        + "{\"topicName\":\"B\",\"readQueueNums\":3,\"writeQueueNums\":1,\"perm\":4,"
                        + "\"attributes\":{\"+message.type\":\"FIFO\"}}]}");

        assertThat(reply.code()).isZero();
        assertThat(topic("A")).isEqualTo(new TopicConfig("A", 2, 2, 6));
        assertThat(topic("B").readQueueNums()).isEqualTo(3);
        assertThat(topic("B").attributes()).isEqualTo(Map.of("message.type", "FIFO"));
    }

    @Test
    void anAttributeIsTakenAwayAndTheOthersStay() throws Exception {
        tell(
                CreateTopicList.CODE,
                "{\"topicConfigList\":[{\"topicName\":\"A\",\"attributes\":{\"message.type\":\"FIFO\",\"+a\":\"1\"}}]}");

        tell(CreateTopicList.CODE, "{\"topicConfigList\":[{\"topicName\":\"A\",\"attributes\":{\"-a\":\"\"}}]}");

        assertThat(topic("A").attributes()).isEqualTo(Map.of("message.type", "FIFO"));
    }

    @Test
    void oneTopicThatCannotBeKeepsTheOthersFromBeingCreated() throws Exception {
        Reply reply = tell(
                CreateTopicList.CODE,
                "{\"topicConfigList\":[{\"topicName\":\"A\"},{\"topicName\":\"B\",\"readQueueNums\":0}]}");

        assertRefused(reply, 29, "topic=B: readQueueNums=0 allowed=1..1024");
        assertThat(broker.ask(GetTopicConfig.CODE, new GetTopicConfig.Request("A"))
                        .code())
                .isEqualTo(17);
        assertRefused(
                tell(CreateTopicList.CODE, "{\"topicConfigList\":[]}"),
                29,
                "topicConfigList has 0 topics, allowed=1..1024");
    }

    @Test
    void groupsAreCreatedTogether() throws Exception {
        Reply reply = tell(
                CreateSubscriptionGroupList.CODE,
                "{\"groupConfigList\":[{\"groupName\":\"g\",\"retryMaxTimes\":7},{\"groupName\":\"h\"}]}");

        assertThat(reply.code()).isZero();
        assertThat(group("g").retryMaxTimes()).isEqualTo(7);
        assertThat(group("h")).isEqualTo(SubscriptionGroupConfig.defaults("h"));
        assertRefused(
                tell(
                        CreateSubscriptionGroupList.CODE,
                        "{\"groupConfigList\":[{\"groupName\":\"i\"},{\"groupName\":\"j\",\"retryQueueNums\":-1}]}"),
                29,
                "group=j: retryQueueNums=-1 allowed=0..1024");
        assertThat(broker.ask(GetSubscriptionGroupConfig.CODE, new GetSubscriptionGroupConfig.Request("i"))
                        .code())
                .isEqualTo(26);
    }

    @Test
    void aGroupThatMayNotReadATopicIsRefusedUntilItMayAgain() throws Exception {
        broker.stored(request("T", ""), "m");
        Member member = new Member(broker.anotherClient(), "c1", "g").joins("T", "*", MessageModel.CLUSTERING);
        PoppingClient popping = new PoppingClient(broker.anotherClient(), "g", "T");

        assertThat(text(reading("g", "T", "false"))).isEqualTo("{\"group\":\"g\",\"readable\":false,\"topic\":\"T\"}");
        assertRefused(member.pull("T", 0, 0), 16, "consumerGroup=g may not read topic=T: it was forbidden to");
        assertThat(popping.ask(popping.request(0, 1, 1000, 0)).code()).isEqualTo(16);
        broker.close();
        broker = RunningBroker.open(directory);
        assertThat(text(reading("g", "T", ""))).contains("\"readable\":false");
        assertThat(text(reading("g", "T", "true"))).contains("\"readable\":true");
        member = new Member(broker.anotherClient(), "c1", "g").joins("T", "*", MessageModel.CLUSTERING);
        assertThat(member.pull("T", 0, 0).code()).isZero();
        assertRefused(reading("g", "T", "maybe"), 29, "readable is neither true nor false");
        assertRefused(reading("nobody", "T", ""), 26, "group=nobody does not exist");
        assertRefused(reading("g", "U", ""), 17, "topic=U does not exist");
    }

    private Reply reading(String group, String topic, String readable) throws Exception {
        return broker.ask(
                UpdateAndGetGroupForbidden.CODE, new UpdateAndGetGroupForbidden.Request(group, topic, readable));
    }

    @Test
    void topicsOfTheBrokerItselfAreListed() throws Exception {
        broker.stored(request("T", ""), "m");

        TopicList list = TopicList.read(
                broker.ask(GetSystemTopicListFromBroker.CODE, FieldSource.NONE).body());

        assertThat(list.topicList())
                .contains("TBW102", "SCHEDULE_TOPIC_XXXX", "broker-a")
                .doesNotContain("T");
        assertThat(list.brokerAddr()).startsWith("127.0.0.1:");
    }

    @Test
    void nothingIsLeftOfTopicsThatDoNotExist() throws Exception {
        assertThat(broker.ask(CleanUnusedTopic.CODE, FieldSource.NONE).code()).isZero();
    }

    @Test
    void aBrokerWithoutReplicasSaysSo() throws Exception {
        assertThat(text(broker.ask(GetBrokerHaStatus.CODE, FieldSource.NONE)))
                .contains(
                        "\"haConnectionInfo\":[],\"inSyncSlaveNums\":0,\"master\":true,\"masterCommitLogMaxOffset\":");
    }

    @Test
    void countersOfTopicsAndGroupsAreTold() throws Exception {
        broker.stored(request("T", ""), "m");
        broker.stored(request("T", ""), "n");
        Member member = new Member(broker.anotherClient(), "c1", "g").joins("T", "*", MessageModel.CLUSTERING);
        member.pull("T", 0, 0);
        broker.time.advance(Duration.ofSeconds(4));

        assertThat(stats("TOPIC_PUT_NUMS", "T"))
                .contains("\"statsMinute\":{\"avgpt\":1.0,\"sum\":2,\"tps\":0.5}")
                .contains("\"statsDay\":{\"avgpt\":1.0,\"sum\":2,");
        assertThat(stats("GROUP_GET_NUMS", "T@g")).contains("\"statsMinute\":{\"avgpt\":2.0,\"sum\":2,\"tps\":0.5}");
        assertRefused(
                broker.ask(ViewBrokerStatsData.CODE, new ViewBrokerStatsData.Request("TOPIC_PUT_NUMS", "U")),
                1,
                "nothing was counted for statsName=TOPIC_PUT_NUMS statsKey=U since the broker started");
        assertThat(broker.ask(ViewBrokerStatsData.CODE, new ViewBrokerStatsData.Request("X", "T"))
                        .remark()
                        .orElse(""))
                .startsWith("statsName=X is not counted");
    }

    @Test
    void entriesOfTheIndexAreShownWithWhatTheFilterOfAGroupLetsPass() throws Exception {
        broker.stored(request("T", "TAGS\u0001a"), "m");
        broker.stored(request("T", "TAGS\u0001b"), "n");
        new Member(broker.anotherClient(), "c1", "g").joins("T", "b", MessageModel.CLUSTERING);

        String json = text(queue("T", 0, 0, 10, "g"));

        assertThat(json)
                .contains("\"maxQueueIndex\":2,\"minQueueIndex\":0")
                .contains("{\"eval\":false,\"physicOffset\":")
                .contains("\"tagsCode\":" + "a".hashCode())
                .contains("{\"eval\":true,\"physicOffset\":")
                .contains("\"subString\":\"b\"");
        assertThat(text(queue("T", 0, 1, 1, "nobody")))
                .contains("\"filterData\":\"nobody@T is not online\"")
                .contains("\"tagsCode\":" + "b".hashCode())
                .doesNotContain("\"tagsCode\":" + "a".hashCode());
        assertThat(text(queue("T", 0, 5, 10, ""))).contains("\"queueData\":[]");
        assertRefused(queue("T", 0, 0, 10_001, ""), 29, "count=10001 allowed=0..10000");
        assertRefused(queue("T", 9, 0, 1, ""), 1, "queueId=9 is not in [0,4) of topic=T");
        assertRefused(queue("U", 0, 0, 1, ""), 17, "topic=U does not exist");
    }

    private Reply queue(String topic, int queueId, long index, int count, String group) throws Exception {
        return broker.ask(QueryConsumeQueue.CODE, new QueryConsumeQueue.Request(topic, queueId, index, count, group));
    }

    private String stats(String name, String key) throws Exception {
        return text(broker.ask(ViewBrokerStatsData.CODE, new ViewBrokerStatsData.Request(name, key)));
    }

    private Reply tell(int code, String json) throws Exception {
        return RunningBroker.get(
                broker.call(code, FieldSource.NONE, Unpooled.copiedBuffer(json, StandardCharsets.UTF_8)));
    }

    private TopicConfig topic(String name) throws Exception {
        return TopicConfig.read(broker.ask(GetTopicConfig.CODE, new GetTopicConfig.Request(name))
                .body());
    }

    private SubscriptionGroupConfig group(String name) throws Exception {
        return SubscriptionGroupConfig.read(
                broker.ask(GetSubscriptionGroupConfig.CODE, new GetSubscriptionGroupConfig.Request(name))
                        .body());
    }

    private static String text(Reply reply) {
        assertThat(reply.code()).as(reply.remark().orElse("")).isZero();
        return new String(reply.body(), StandardCharsets.UTF_8);
    }

    private static void assertRefused(Reply reply, int code, String remark) {
        assertThat(reply.code()).isEqualTo(code);
        assertThat(reply.remark()).contains(remark);
    }
}
