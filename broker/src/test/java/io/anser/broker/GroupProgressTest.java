package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.body.ConsumeStats;
import io.anser.protocol.body.ConsumedQueue;
import io.anser.protocol.body.MessageModel;
import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.body.MessageRequestMode;
import io.anser.protocol.body.RequestMode;
import io.anser.protocol.body.TopicList;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.CreateTopic;
import io.anser.protocol.operation.GetAllConsumerOffset;
import io.anser.protocol.operation.GetAllMessageRequestMode;
import io.anser.protocol.operation.GetBrokerConsumeStats;
import io.anser.protocol.operation.GetConsumeStats;
import io.anser.protocol.operation.QueryConsumeTimeSpan;
import io.anser.protocol.operation.QueryCorrectionOffset;
import io.anser.protocol.operation.QueryTopicsByConsumer;
import io.anser.protocol.operation.SetMessageRequestMode;
import io.anser.transport.Reply;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators are told about how far groups have come. */
class GroupProgressTest {
    private static final MessageQueue QUEUE = new MessageQueue("Orders", "broker-a", 0);

    private RunningBroker broker;
    private Member member;

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        broker = RunningBroker.open(directory);
        topic("Orders");
        for (int i = 0; i < 3; i++) {
            broker.stored(request("Orders", ""), "m" + i);
            broker.time.advance(Duration.ofSeconds(1));
        }
        member = new Member(broker.anotherClient(), "c1", "billing").joins("Orders", "*", MessageModel.CLUSTERING);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void aGroupThatHasCommittedNothingHasAllBeforeIt() throws Exception {
        assertThat(stats("").offsetTable().get(QUEUE)).isEqualTo(new ConsumedQueue(3, 0, 0, 0));
        assertThat(stats("").lag()).isEqualTo(3);
    }

    @Test
    void theLagIsWhatIsStoredAndNotCommitted() throws Exception {
        member.commit("Orders", 0, 2);

        assertThat(stats("Orders").offsetTable().get(QUEUE)).isEqualTo(new ConsumedQueue(3, 2, 2, 1_001_000));
    }

    @Test
    void whatWasPoppedAndNotAcknowledgedIsInFlight() throws Exception {
        PoppingClient popping = new PoppingClient(broker.anotherClient(), "poppers", "Orders");
        popping.pop(popping.request(0, 2, 60_000, 0));

        Reply reply = broker.ask(GetConsumeStats.CODE, new GetConsumeStats.Request("poppers", "Orders", ""));

        assertThat(ConsumeStats.read(reply.body()).offsetTable().get(QUEUE)).isEqualTo(new ConsumedQueue(3, 0, 2, 0));
    }

    @Test
    void aTopicThatNobodyWantsAnyMoreIsLeftOutWhileMembersAreThere() throws Exception {
        topic("Bills");
        member.commit("Orders", 0, 2);
        member.joins("Bills", "*", MessageModel.CLUSTERING);

        assertThat(stats("").offsetTable()).doesNotContainKey(QUEUE);
        assertThat(stats("").offsetTable()).containsKey(new MessageQueue("Bills", "broker-a", 0));
        assertThat(stats("Orders").offsetTable()).containsKey(QUEUE);
        Reply topics = broker.ask(QueryTopicsByConsumer.CODE, new QueryTopicsByConsumer.Request("billing"));
        assertThat(TopicList.read(topics.body()).topicList()).containsExactly("Bills", "Orders");
    }

    @Test
    void allGroupsAreToldAtOnce() throws Exception {
        member.commit("Orders", 0, 1);

        String json = text(broker.ask(GetBrokerConsumeStats.CODE, new GetBrokerConsumeStats.Request(false)));

        assertThat(json)
                .contains(
                        "{\"billing\":[{\"consumeTps\":0.0,\"offsetTable\":{{\"brokerName\":\"broker-a\",\"queueId\":0,"
                                + "\"topic\":\"Orders\"}:{\"brokerOffset\":3,\"consumerOffset\":1,\"lastTimestamp\":1000000,"
                                + "\"pullOffset\":1}")
                .contains("\"totalDiff\":2")
                .contains("\"totalInflightDiff\":0");
    }

    @Test
    void deliveriesCountForTheGroupThatGotThem() throws Exception {
        member.pull("Orders", 0, 0);
        broker.time.advance(Duration.ofSeconds(2));

        assertThat(stats("").consumeTps()).isEqualTo(1.5);
    }

    @Test
    void theTimesOfMessagesTellHowFarBehindAGroupIs() throws Exception {
        member.commit("Orders", 0, 1);

        String json =
                text(broker.ask(QueryConsumeTimeSpan.CODE, new QueryConsumeTimeSpan.Request("Orders", "billing")));

        assertThat(json)
                .isEqualTo("{\"consumeTimeSpanSet\":[{\"consumeTimeStamp\":1000000,\"delayTime\":2000,"
                        + "\"maxTimeStamp\":1002000,\"messageQueue\":{\"brokerName\":\"broker-a\",\"queueId\":0,"
                        + "\"topic\":\"Orders\"},\"minTimeStamp\":1000000}]}");
        assertThat(broker.ask(QueryConsumeTimeSpan.CODE, new QueryConsumeTimeSpan.Request("None", "billing"))
                        .code())
                .isEqualTo(17);
    }

    @Test
    void offsetsOfAllGroupsAreListed() throws Exception {
        member.commit("Orders", 0, 2);

        assertThat(text(broker.ask(GetAllConsumerOffset.CODE, FieldSource.NONE)))
                .contains("\"offsetTable\":{\"Orders@billing\":{0:2}}");
    }

    @Test
    void theLowestOffsetOfTheOthersIsTold() throws Exception {
        member.commit("Orders", 0, 2);
        new Member(broker.anotherClient(), "c2", "audit").commit("Orders", 0, 1);

        assertThat(correction("", "billing")).isEqualTo("{\"correctionOffsets\":{0:1}}");
        assertThat(correction("audit", "billing")).isEqualTo("{\"correctionOffsets\":{0:2}}");
        assertThat(correction("audit", "audit")).isEqualTo("{\"correctionOffsets\":{0:9223372036854775807}}");
    }

    @Test
    void requestModesAreListed() throws Exception {
        RequestMode mode = new RequestMode("Orders", "billing", MessageRequestMode.POP, 8);
        RunningBroker.get(
                broker.call(SetMessageRequestMode.CODE, FieldSource.NONE, Unpooled.wrappedBuffer(mode.write())));

        assertThat(text(broker.ask(GetAllMessageRequestMode.CODE, FieldSource.NONE)))
                .isEqualTo("{\"messageRequestModeMap\":{\"Orders\":{\"billing\":{\"consumerGroup\":\"billing\","
                        + "\"mode\":\"POP\",\"popShareQueueNum\":8,\"topic\":\"Orders\"}}}}");
    }

    private String correction(String without, String compared) throws Exception {
        return text(
                broker.ask(QueryCorrectionOffset.CODE, new QueryCorrectionOffset.Request(without, compared, "Orders")));
    }

    private ConsumeStats stats(String topic) throws Exception {
        Reply reply = broker.ask(GetConsumeStats.CODE, new GetConsumeStats.Request("billing", topic, ""));
        assertThat(reply.code()).isZero();
        return ConsumeStats.read(reply.body());
    }

    private void topic(String name) throws Exception {
        broker.ask(
                CreateTopic.CODE, new CreateTopic.Request(name, "TBW102", 1, 1, 6, "SINGLE_TAG", 0, false, "", false));
    }

    private static String text(Reply reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }
}
