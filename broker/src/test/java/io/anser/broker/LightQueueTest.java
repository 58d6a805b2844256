package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.broker.testing.WireMessages;
import io.anser.protocol.body.KvTable;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.operation.CreateSubscriptionGroup;
import io.anser.protocol.operation.CreateTopic;
import io.anser.protocol.operation.CreateTopicList;
import io.anser.protocol.operation.DeleteTopicInBroker;
import io.anser.protocol.operation.GetBrokerRuntimeInfo;
import io.anser.protocol.operation.GetMaxOffset;
import io.anser.protocol.operation.PopMessage;
import io.anser.protocol.operation.PullMessage;
import io.anser.protocol.operation.QueryConsumerOffset;
import io.anser.protocol.operation.SearchOffsetByTimestamp;
import io.anser.protocol.operation.SendMessage;
import io.anser.protocol.operation.UpdateConsumerOffset;
import io.anser.system.VirtualTime;
import io.anser.transport.Reply;
import io.netty.buffer.Unpooled;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One message in several light queues (Apache's LMQ), as clients see it. */
class LightQueueTest {
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
    void aMessageIsInItsOwnQueueAndInEachLightQueueThatItNames() throws Exception {
        SendMessage.Response sent = broker.stored(listed("%LMQ%a,%LMQ%b"), "one");
        broker.stored(listed("%LMQ%b"), "two");
        broker.stored(request("T", ""), "plain");

        assertThat(sent.queueOffset()).isZero();
        assertThat(bodies("T")).containsExactly("one", "two", "plain");
        assertThat(bodies("%LMQ%a")).containsExactly("one");
        assertThat(bodies("%LMQ%b")).containsExactly("one", "two");
        assertThat(maxOffset("%LMQ%b")).isEqualTo(2);
    }

    @Test
    void aMessageTellsItsOffsetsInItsLightQueues() throws Exception {
        broker.stored(listed("%LMQ%b"), "one");
        SendMessage.Response sent =
                broker.stored(request("T", "TAGS\u0001t\u0002INNER_MULTI_DISPATCH\u0001%LMQ%a,%LMQ%b\u0002"), "two");

        MessageView message = broker.message(sent.msgId());
        assertThat(message.topic()).isEqualTo("T");
        assertThat(message.property("INNER_MULTI_DISPATCH")).contains("%LMQ%a,%LMQ%b");
        assertThat(message.property("INNER_MULTI_QUEUE_OFFSET")).contains("0000000000000000000,0000000000000000001");
        assertThat(message.property("TAGS")).contains("t");
        assertThat(UTF_8.decode(message.body()).toString()).isEqualTo("two");
    }

    @Test
    void aWaitingPullGetsTheMessageAtOnce() throws Exception {
        CompletableFuture<Reply> waiting = broker.call(
                PullMessage.CODE,
                new PullMessage.Request("g", "%LMQ%a", 0, 0, 32, 6, 0, 3_600_000, "*", 0, "TAG", -1),
                Unpooled.EMPTY_BUFFER);
        await().until(() -> broker.broker.consumption().parkedPulls().parked() == 1);

        broker.stored(listed("%LMQ%a"), "one");

        assertThat(WireMessages.bodies(RunningBroker.get(waiting).body())).containsExactly("one");
    }

    @Test
    void lightQueuesAndOffsetsInThemOutliveARestart() throws Exception {
        broker.stored(listed("%LMQ%a"), "one");
        broker.stored(listed("%LMQ%a"), "two");
        assertThat(broker.ask(UpdateConsumerOffset.CODE, new UpdateConsumerOffset.Request("g", "%LMQ%a", 0, 1))
                        .code())
                .isZero();

        broker.close();
        broker = new RunningBroker(directory, BrokerSettings.defaults(), new VirtualTime(2_000_000));

        assertThat(QueryConsumerOffset.Response.decode(broker.ask(
                                        QueryConsumerOffset.CODE,
                                        new QueryConsumerOffset.Request("g", "%LMQ%a", 0, false))
                                .header())
                        .offset())
                .isEqualTo(1);
        assertThat(bodies("%LMQ%a")).containsExactly("one", "two");
        broker.stored(listed("%LMQ%a"), "three");
        assertThat(maxOffset("%LMQ%a")).isEqualTo(3);
    }

    @Test
    void aNewGroupStartsAtTheFirstMessageOfAYoungLightQueueAndNotInAnOldOne() throws Exception {
        broker.stored(listed("%LMQ%a"), "one");
        assertThat(start("%LMQ%a")).isZero();

        broker.close();
        broker = new RunningBroker(directory, BrokerSettings.defaults(), new VirtualTime(2_000_000));
        assertThat(start("%LMQ%a")).isEqualTo(-1);
        broker.stored(listed("%LMQ%b"), "two");
        assertThat(start("%LMQ%b")).isZero();
    }

    /** Where a group goes on that was never there; -1 if the client is to decide. */
    private long start(String topic) throws Exception {
        Reply reply =
                broker.ask(QueryConsumerOffset.CODE, new QueryConsumerOffset.Request("newcomers", topic, 0, true));
        return reply.code() == 0
                ? QueryConsumerOffset.Response.decode(reply.header()).offset()
                : -1;
    }

    @Test
    void aDeletedLightQueueBeginsAnew() throws Exception {
        broker.stored(listed("%LMQ%a"), "one");
        assertThat(broker.ask(DeleteTopicInBroker.CODE, new DeleteTopicInBroker.Request("%LMQ%a"))
                        .code())
                .isZero();
        assertThat(maxOffset("%LMQ%a")).isZero();

        broker.stored(listed("%LMQ%a"), "two");

        assertThat(bodies("%LMQ%a")).containsExactly("two");
        assertThat(bodies("T")).containsExactly("one", "two");
    }

    @Test
    void whatCannotBeListedIsRefused() throws Exception {
        String listed = "INNER_MULTI_DISPATCH\u0001%LMQ%a\u0002";

        assertThat(broker.send(request("T", listed + "DELAY\u00013\u0002"), "x").code())
                .isEqualTo(13);
        assertThat(broker.send(request("T", listed + "TRAN_MSG\u0001true\u0002"), "x")
                        .code())
                .isEqualTo(13);
        assertThat(broker.send(request("T", listed + "IDEMPOTENCY_KEY\u0001k\u0002"), "x")
                        .code())
                .isEqualTo(13);
        assertThat(broker.send(listed("%LMQ%a,Other"), "x").remark())
                .contains(
                        "INNER_MULTI_DISPATCH names \"Other\", which is no light queue: their names begin with %LMQ%");
        assertThat(broker.send(listed("%LMQ%a,%LMQ%b b"), "x").remark())
                .hasValueSatisfying(remark -> assertThat(remark)
                        .contains("INNER_MULTI_DISPATCH names \"%LMQ%b b\": topic has the character U+0020"));
        assertThat(broker.send(request("%LMQ%a", listed), "x").code()).isEqualTo(13);
        assertThat(broker.send(listed("%LMQ%a,%LMQ%b,%LMQ%a"), "x").remark())
                .contains("INNER_MULTI_DISPATCH names %LMQ%a twice");
        assertThat(maxOffset("%LMQ%a")).isZero();
    }

    @Test
    void aLightQueueHasAName() throws Exception {
        assertThat(broker.send(request("%LMQ%", ""), "x").remark()).contains("topic=%LMQ% names no light queue");
        assertThat(broker.send(listed("%LMQ%"), "x").remark())
                .contains("INNER_MULTI_DISPATCH names \"%LMQ%\": topic=%LMQ% names no light queue");
        assertThat(broker.ask(GetMaxOffset.CODE, new GetMaxOffset.Request("%LMQ%", 0, true))
                        .code())
                .isEqualTo(17);
    }

    @Test
    void aRefusedMessageKeepsNoPlace() throws Exception {
        fill(0, 19_999);

        assertThat(broker.send(listed("%LMQ%x,%LMQ%y"), "x").remark())
                .contains("topic=%LMQ%y would be one light queue too many, limit=20000: delete some, they are topics");
        assertThat(broker.send(request("%LMQ%z", "__LITE_TOPIC\u0001x\u0002"), "x")
                        .code())
                .isEqualTo(13);

        broker.stored(listed("%LMQ%more"), "one");
        assertThat(broker.send(listed("%LMQ%x"), "x").code()).isEqualTo(2017);
    }

    @Test
    void aMessageMayBeSentToALightQueueItself() throws Exception {
        broker.stored(listed("%LMQ%a"), "listed");
        assertThat(broker.stored(request("%LMQ%a", ""), "own").queueOffset()).isEqualTo(1);

        assertThat(bodies("%LMQ%a")).containsExactly("listed", "own");
    }

    @Test
    void aLightQueueCannotBeMadeAnOrdinaryTopic() throws Exception {
        Reply topic = broker.ask(
                CreateTopic.CODE,
                new CreateTopic.Request("%LMQ%a", "TBW102", 4, 4, 6, "SINGLE_TAG", 0, false, "", false));

        assertThat(topic.code()).isEqualTo(29);
        assertThat(topic.remark())
                .contains("topic=%LMQ%a is a light queue, which is there when it is named and has no settings");
    }

    @Test
    void oneLightQueueTooManyIsRefusedUntilAnotherIsDeleted() throws Exception {
        fill(0, 20_000);

        assertThat(broker.send(listed("%LMQ%q7,%LMQ%more"), "x").code()).isEqualTo(2017);
        assertThat(broker.send(request("%LMQ%more", ""), "x").code()).isEqualTo(2017);
        assertThat(bodies("%LMQ%q7")).containsExactly("fill");
        assertThat(maxOffset("%LMQ%more")).isZero();

        assertThat(broker.ask(DeleteTopicInBroker.CODE, new DeleteTopicInBroker.Request("%LMQ%q7"))
                        .code())
                .isZero();
        broker.stored(listed("%LMQ%more"), "one");
        assertThat(bodies("%LMQ%more")).containsExactly("one");
        assertThat(broker.send(listed("%LMQ%q7"), "x").code()).isEqualTo(2017);
    }

    @Test
    void afterARestartAFullBrokerHasItsLightQueuesAndDeliversWhatItAccepted() throws Exception {
        broker.stored(request("%LMQ%later", "DELAY\u00013\u0002"), "delayed");
        fill(0, 19_999);

        broker.close();
        broker = new RunningBroker(directory, BrokerSettings.defaults(), new VirtualTime(1_000_001));
        broker.stored(listed("%LMQ%last"), "one");

        assertThat(broker.send(listed("%LMQ%more"), "x").code()).isEqualTo(2017);
        assertThat(bodies("%LMQ%q0")).containsExactly("fill");
        assertThat(bodies("%LMQ%q19998")).containsExactly("fill");
        await().until(() -> {
            broker.time.advance(Duration.ofSeconds(1));
            return maxOffset("%LMQ%later") == 1;
        });
        assertThat(bodies("%LMQ%later")).containsExactly("delayed");
    }

    /** Lists messages in light queues of these numbers, each in many. */
    private void fill(int from, int until) throws Exception {
        for (int first = from; first < until; first += 100) {
            StringJoiner names = new StringJoiner(",");
            for (int queue = first; queue < Math.min(first + 100, until); queue++) {
                names.add("%LMQ%q" + queue);
            }
            broker.stored(listed(names.toString()), "fill");
        }
    }

    @Test
    void lightQueuesAreNoTopicsOfRoutesAndDoNotCountTwice() throws Exception {
        broker.stored(listed("%LMQ%a,%LMQ%b"), "one");

        assertThat(figure("msgPutTotalTodayNow")).isEqualTo("1");
    }

    @Test
    void popsGetMessagesOfALightQueueOnceAndAgainWhenTheyAreNotAcknowledged() throws Exception {
        broker.stored(listed("%LMQ%a"), "one");
        broker.stored(listed("%LMQ%b"), "other");
        broker.stored(listed("%LMQ%a"), "two");
        PoppingClient client = new PoppingClient(broker.anotherClient(), "poppers", "%LMQ%a");
        PopMessage.Request pop = new PopMessage.Request(
                "poppers", "%LMQ%a", -1, 32, 60_000, 0, 0, PopMessage.INIT_MIN, "TAG", "*", false, "");

        assertThat(PoppingClient.bodies(client.pop(pop))).containsExactly("one", "two");
        assertThat(client.pop(pop)).isEmpty();

        broker.time.advance(Duration.ofMinutes(1));
        broker.time.advance(Duration.ofMillis(500));
        List<PoppingClient.Popped> again = new ArrayList<>();
        await().until(() -> again.addAll(client.pop(pop)) && again.size() == 2);
        assertThat(PoppingClient.bodies(again)).containsExactlyInAnyOrder("one", "two");
    }

    @Test
    void messagesOfLiteTopicsAndTheTopicsThemselvesAreRefused() throws Exception {
        Reply message = broker.send(request("T", "__LITE_TOPIC\u0001x\u0002"), "x");
        assertThat(message.code()).isEqualTo(13);
        assertThat(message.remark()).contains("property __LITE_TOPIC is set, and lite topics are not supported yet");
        Reply topic = broker.ask(
                CreateTopic.CODE,
                new CreateTopic.Request("L", "TBW102", 1, 1, 6, "SINGLE_TAG", 0, false, "+message.type=LITE", false));
        assertThat(topic.code()).isEqualTo(29);
        assertThat(topic.remark()).contains("attribute message.type=LITE: lite topics are not supported yet");
        Reply topics = tell(
                CreateTopicList.CODE,
                "{\"topicConfigList\":[{\"topicName\":\"M\"},{\"topicName\":\"L\",\"attributes\":{\"+lite.topic.expiration\":\"15\"}}]}");
        assertThat(topics.code()).isEqualTo(29);
        assertThat(topics.remark())
                .contains("topic=L: attribute lite.topic.expiration=15: lite topics are not supported yet");
        Reply group =
                tell(CreateSubscriptionGroup.CODE, "{\"groupName\":\"g\",\"attributes\":{\"lite.bind.topic\":\"L\"}}");
        assertThat(group.code()).isEqualTo(29);
        assertThat(group.remark()).contains("attribute lite.bind.topic=L: lite topics are not supported yet");
    }

    @Test
    void aQuestionAboutALiteTopicIsNotAnsweredWithTheWholeTopic() throws Exception {
        broker.stored(request("T", ""), "x");

        Reply pull = broker.ask(
                PullMessage.CODE, ofLiteTopic(new PullMessage.Request("g", "T", 0, 0, 32, 4, 0, 0, "*", 0, "TAG", -1)));
        Reply search = broker.ask(
                SearchOffsetByTimestamp.CODE,
                ofLiteTopic(new SearchOffsetByTimestamp.Request("T", 0, 0, SearchOffsetByTimestamp.Boundary.LOWER)));

        assertThat(pull.code()).isEqualTo(1);
        assertThat(pull.remark()).contains("field liteTopic is set, and lite topics are not supported yet");
        assertThat(search.code()).isEqualTo(1);
        assertThat(search.remark()).contains("field liteTopic is set, and lite topics are not supported yet");
    }

    private static FieldSource ofLiteTopic(FieldSource request) {
        return out -> {
            request.writeTo(out);
            out.field(FieldName.of("liteTopic"), "x");
        };
    }

    private Reply tell(int code, String body) throws Exception {
        return RunningBroker.get(broker.call(code, FieldSource.NONE, Unpooled.wrappedBuffer(body.getBytes(UTF_8))));
    }

    private static SendMessage.Request listed(String queues) {
        return request("T", "INNER_MULTI_DISPATCH\u0001" + queues + "\u0002");
    }

    private List<String> bodies(String topic) throws Exception {
        Reply reply =
                broker.ask(PullMessage.CODE, new PullMessage.Request("g", topic, 0, 0, 32, 4, 0, 0, "*", 0, "TAG", -1));
        assertThat(reply.code()).as(reply.remark().orElse("")).isZero();
        return WireMessages.bodies(reply.body());
    }

    private long maxOffset(String topic) throws Exception {
        return GetMaxOffset.Response.decode(broker.ask(GetMaxOffset.CODE, new GetMaxOffset.Request(topic, 0, true))
                        .header())
                .offset();
    }

    private String figure(String name) throws Exception {
        return KvTable.read(
                        broker.ask(GetBrokerRuntimeInfo.CODE, FieldSource.NONE).body())
                .table()
                .get(name);
    }
}
