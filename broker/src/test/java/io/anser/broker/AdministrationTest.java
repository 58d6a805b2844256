package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.body.GroupRetryPolicy;
import io.anser.protocol.body.KvTable;
import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.body.SubscriptionGroupTable;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.body.TopicFilterType;
import io.anser.protocol.body.TopicOffset;
import io.anser.protocol.body.TopicStatsTable;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.CreateSubscriptionGroup;
import io.anser.protocol.operation.CreateTopic;
import io.anser.protocol.operation.GetAllSubscriptionGroupConfig;
import io.anser.protocol.operation.GetBrokerRuntimeInfo;
import io.anser.protocol.operation.GetSubscriptionGroupConfig;
import io.anser.protocol.operation.GetTopicConfig;
import io.anser.protocol.operation.GetTopicStats;
import io.anser.protocol.operation.ViewMessageById;
import io.anser.transport.Reply;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdministrationTest {
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
    void aCreatedTopicHasWhatWasAskedFor() throws Exception {
        assertThat(create("T", 4, 8, 6, "+message.type=FIFO").code()).isZero();

        assertThat(config("T"))
                .isEqualTo(new TopicConfig(
                        "T", 4, 8, 6, TopicFilterType.SINGLE_TAG, 0, true, Map.of("message.type", "FIFO")));
    }

    @Test
    void aChangedTopicKeepsItsAttributesAndMessages() throws Exception {
        create("T", 4, 4, 6, "+message.type=FIFO");
        broker.stored(request("T", ""), "m");

        create("T", 8, 8, 4, "");

        assertThat(config("T").perm()).isEqualTo(4);
        assertThat(config("T").attributes()).isEqualTo(Map.of("message.type", "FIFO"));
        assertThat(broker.maxOffset("T", 0)).isEqualTo(1);
    }

    @Test
    void whatNoTopicCanBeIsRefusedWithTheFieldAndTheLimit() throws Exception {
        assertRefused(create("T", 0, 4, 6, ""), 29, "readQueueNums=0 allowed=1..1024");
        assertRefused(create("T", 4, Integer.MAX_VALUE, 6, ""), 29, "writeQueueNums=2147483647 allowed=1..1024");
        assertRefused(create("T", 4, 4, 8, ""), 29, "perm=8 allowed=0..7");
        assertRefused(create("TBW102", 4, 4, 7, ""), 29, "topic=TBW102 is kept by the broker for itself");
        assertThat(create("../T", 4, 4, 6, "").code()).isEqualTo(13);
        assertThat(create("T", 4, 4, 6, "message.type").code()).isEqualTo(1);
        assertThat(broker.maxOffset("T", 0)).isEqualTo(-1);
    }

    @Test
    void aCreatedGroupIsListedAndFound() throws Exception {
        SubscriptionGroupConfig group = new SubscriptionGroupConfig(
                "g", true, true, false, false, 2, 3, GroupRetryPolicy.STANDARD, 0, 1, true, 0, 15, Map.of());

        assertThat(createGroup(group).code()).isZero();

        Reply one = broker.ask(GetSubscriptionGroupConfig.CODE, new GetSubscriptionGroupConfig.Request("g"));
        assertThat(SubscriptionGroupConfig.read(one.body())).isEqualTo(group);
        Reply all = broker.ask(GetAllSubscriptionGroupConfig.CODE, new GetAllSubscriptionGroupConfig.Request(0, "", 0));
        assertThat(SubscriptionGroupTable.read(all.body()).subscriptionGroupTable())
                .containsEntry("g", group);
    }

    @Test
    void whatNoGroupCanBeIsRefused() throws Exception {
        assertThat(createGroup(SubscriptionGroupConfig.defaults("../g")).code()).isEqualTo(13);
        SubscriptionGroupConfig tooMany = new SubscriptionGroupConfig(
                "g", true, true, true, false, 1025, 3, GroupRetryPolicy.STANDARD, 0, 1, true, 0, 15, Map.of());
        assertRefused(createGroup(tooMany), 29, "retryQueueNums=1025 allowed=0..1024");
        SubscriptionGroupConfig tooTalkative = new SubscriptionGroupConfig(
                "g",
                true,
                true,
                true,
                false,
                1,
                3,
                GroupRetryPolicy.STANDARD,
                0,
                1,
                true,
                0,
                15,
                Map.of("a", "x".repeat(4096)));
        assertRefused(createGroup(tooTalkative), 1, "attributes length=4097 limit=4096");
        Reply unreadable = RunningBroker.get(broker.call(
                CreateSubscriptionGroup.CODE, FieldSource.NONE, Unpooled.copiedBuffer("[", StandardCharsets.UTF_8)));
        assertThat(unreadable.code()).isEqualTo(1);
    }

    @Test
    void waitsThatNoRetryCanHaveAreRefused() throws Exception {
        assertRefused(createGroup(withPolicy(-1)), 29, "groupRetryPolicy next=-1 allowed=0..31536000000");
        assertRefused(
                createGroup(withPolicy(1, 31_536_000_001L)),
                29,
                "groupRetryPolicy next=31536000001 allowed=0..31536000000");
        assertRefused(createGroup(growing(0, 5, 2)), 29, "groupRetryPolicy initial=0 allowed=1..5");
        assertRefused(createGroup(growing(6, 5, 2)), 29, "groupRetryPolicy initial=6 allowed=1..5");
        assertRefused(createGroup(growing(1, 0, 2)), 29, "groupRetryPolicy max=0 allowed=1..31536000000");
        assertRefused(createGroup(growing(1, 5, 0)), 29, "groupRetryPolicy multiplier=0 is not positive");
        assertThat(createGroup(withPolicy(0, 31_536_000_000L)).code()).isZero();
        assertThat(createGroup(growing(1, 5, 2)).code()).isZero();
    }

    private static SubscriptionGroupConfig withPolicy(long... waits) {
        return group(new GroupRetryPolicy(
                GroupRetryPolicy.Type.CUSTOMIZED,
                Optional.empty(),
                LongStream.of(waits).boxed().toList()));
    }

    private static SubscriptionGroupConfig growing(long initial, long max, long multiplier) {
        return group(new GroupRetryPolicy(
                GroupRetryPolicy.Type.EXPONENTIAL,
                Optional.of(new GroupRetryPolicy.Exponential(initial, max, multiplier)),
                List.of()));
    }

    private static SubscriptionGroupConfig group(GroupRetryPolicy policy) {
        return new SubscriptionGroupConfig("g", true, true, true, false, 1, 16, policy, 0, 1, true, 0, 15, Map.of());
    }

    @Test
    void whatDoesNotExistIsNotFound() throws Exception {
        assertRefused(broker.ask(GetTopicConfig.CODE, new GetTopicConfig.Request("T")), 17, "topic=T does not exist");
        assertRefused(broker.ask(GetTopicStats.CODE, new GetTopicStats.Request("T")), 17, "topic=T does not exist");
        assertRefused(
                broker.ask(GetSubscriptionGroupConfig.CODE, new GetSubscriptionGroupConfig.Request("g")),
                26,
                "group=g does not exist");
        assertRefused(
                broker.ask(ViewMessageById.CODE, new ViewMessageById.Request("", 999_999)),
                1,
                "offset=999999 is not that of a message");
    }

    @Test
    void theStatisticsOfATopicTellItsOffsetsAndTheTimeOfItsLastMessage() throws Exception {
        broker.stored(request("T", ""), "m");

        TopicStatsTable stats = TopicStatsTable.read(
                broker.ask(GetTopicStats.CODE, new GetTopicStats.Request("T")).body());

        assertThat(stats.offsetTable()).hasSize(4);
        assertThat(stats.offsetTable().get(new MessageQueue("T", "broker-a", 0)))
                .isEqualTo(new TopicOffset(0, 1, 1_000_000));
        assertThat(stats.offsetTable().get(new MessageQueue("T", "broker-a", 1)))
                .isEqualTo(new TopicOffset(0, 0, 0));
    }

    @Test
    void theStatisticsOfATopicTellHowManyMessagesArrive() throws Exception {
        for (int i = 0; i < 30; i++) {
            broker.stored(request("T", ""), "m");
        }
        broker.time.advance(Duration.ofSeconds(50));

        TopicStatsTable stats = TopicStatsTable.read(
                broker.ask(GetTopicStats.CODE, new GetTopicStats.Request("T")).body());

        assertThat(stats.topicPutTps()).isEqualTo(0.6);
    }

    @Test
    void theFiguresHaveTheNamesThatToolsParse() throws Exception {
        Map<String, String> figures = KvTable.read(
                        broker.ask(GetBrokerRuntimeInfo.CODE, FieldSource.NONE).body())
                .table();

        assertThat(figures)
                .containsEntry("brokerVersion", "513")
                .containsEntry("putTps", "0.0 0.0 0.0")
                .containsEntry("bootTimestamp", "1000000")
                .containsEntry("msgPutTotalTodayNow", "0")
                .containsEntry("delayedMessages", "0")
                .containsEntry("damagedRanges", "0")
                .containsEntry("misplacedFiles", "0")
                .containsKeys("commitLogDiskRatio", "diskFreeBytes", "diskTotalBytes", "diskSecondsToFull")
                .containsKey("diskState")
                .containsEntry("snapshotState", "normal")
                .containsKey("snapshotPosition")
                .doesNotContainKey("snapshotProblem");
    }

    private Reply create(String topic, int readQueues, int writeQueues, int perm, String attributes) throws Exception {
        return broker.ask(
                CreateTopic.CODE,
                new CreateTopic.Request(
                        topic, "TBW102", readQueues, writeQueues, perm, "SINGLE_TAG", 0, true, attributes, false));
    }

    private Reply createGroup(SubscriptionGroupConfig group) throws Exception {
        return RunningBroker.get(
                broker.call(CreateSubscriptionGroup.CODE, FieldSource.NONE, Unpooled.wrappedBuffer(group.write())));
    }

    private TopicConfig config(String topic) throws Exception {
        return TopicConfig.read(broker.ask(GetTopicConfig.CODE, new GetTopicConfig.Request(topic))
                .body());
    }

    private static void assertRefused(Reply reply, int code, String remark) {
        assertThat(reply.code()).isEqualTo(code);
        assertThat(reply.remark()).contains(remark);
    }
}
