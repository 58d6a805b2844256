package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.protocol.body.TopicConfigTable;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.message.BatchBody;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.operation.CreateTopic;
import io.anser.protocol.operation.GetAllTopicConfig;
import io.anser.protocol.operation.SendBatchMessage;
import io.anser.protocol.operation.SendMessage;
import io.anser.protocol.operation.SendMessageV2;
import io.anser.system.VirtualTime;
import io.anser.transport.Reply;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SendTest {
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
    void aSentMessageIsStoredWithAllItsParts() throws Exception {
        Reply reply = broker.send(request("T", "KEYS\u0001k\u0002UNIQ_KEY\u0001u1\u0002"), "hello");
        SendMessage.Response response = SendMessage.Response.decode(reply.header());

        assertThat(response.queueId()).isZero();
        assertThat(response.queueOffset()).isZero();
        assertThat(response.transactionId()).isEqualTo("u1");
        assertThat(reply.header().string(FieldName.of("MSG_REGION"))).isEqualTo("DefaultRegion");
        assertThat(reply.header().string(FieldName.of("TRACE_ON"))).isEqualTo("true");
        MessageView message = broker.message(response.msgId());
        assertThat(message.topic()).isEqualTo("T");
        assertThat(body(message)).isEqualTo("hello");
        assertThat(message.flag()).isEqualTo(5);
        assertThat(message.bornTimestamp()).isEqualTo(77);
        assertThat(message.storeTimestamp()).isEqualTo(1_000_000);
        assertThat(message.property("KEYS")).contains("k");
        assertThat(message.isBodyIntact()).isTrue();
    }

    @Test
    void offsetsGrowByOnePerQueue() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(broker.stored(request("T", ""), "m").queueOffset()).isEqualTo(i);
        }
        assertThat(broker.maxOffset("T", 0)).isEqualTo(3);
        assertThat(broker.maxOffset("T", 1)).isZero();
    }

    @Test
    void sendsThatCreateTheSameTopicAtOnceWriteOneRecord() throws Exception {
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            replies.add(broker.sendLater(request("New", ""), Unpooled.copiedBuffer("m", UTF_8)));
        }
        for (CompletableFuture<Reply> reply : replies) {
            assertThat(RunningBroker.get(reply).code()).isZero();
        }

        assertThat(broker.maxOffset("New", 0)).isEqualTo(20);
        Reply topics = broker.ask(GetAllTopicConfig.CODE, new GetAllTopicConfig.Request(0, "", 0));
        TopicConfigTable table = TopicConfigTable.read(topics.body());
        assertThat(table.topicConfigTable().get("New").writeQueueNums()).isEqualTo(4);
        assertThat(table.dataVersion().counter()).isEqualTo(1);
    }

    @Test
    void aTopicIsNotCreatedAfterAPatternThatIsNone() throws Exception {
        SendMessage.Request request =
                new SendMessage.Request("p", "T", "SELF_TEST_TOPIC", 4, 0, 0, 77, 5, new byte[0], 0, false, false, -1);

        Reply reply = broker.send(request, "m");

        assertThat(reply.code()).isEqualTo(17);
        assertThat(reply.remark()).contains("topic=T does not exist and may not be created by a send");
    }

    @Test
    void aQueueThatTheTopicDoesNotHaveIsRefused() throws Exception {
        broker.stored(request("T", ""), "m");

        Reply reply = broker.send(queue(4), "m");

        assertThat(reply.code()).isEqualTo(29);
        assertThat(reply.remark()).contains("queueId=4 limit=3 topic=T");
    }

    @Test
    void theTopicsOfTheBrokerItselfAreClosed() throws Exception {
        Reply reply = broker.send(request("SCHEDULE_TOPIC_XXXX", ""), "m");

        assertThat(reply.code()).isEqualTo(16);
        assertThat(reply.remark()).contains("topic=SCHEDULE_TOPIC_XXXX is kept by the broker for itself");
    }

    @Test
    void aNegativeQueueMeansAny() throws Exception {
        broker.stored(request("T", ""), "m");

        SendMessage.Response response = broker.stored(queue(-1), "m");

        assertThat(response.queueId()).isBetween(0, 3);
    }

    @Test
    void oneWaySendsAreStored() throws Exception {
        broker.tellOneWay(request("T", ""), "m");

        await().until(() -> broker.maxOffset("T", 0) == 1);
    }

    @Test
    void aBatchIsStoredOnConsecutiveOffsets() throws Exception {
        broker.stored(request("T", ""), "first");
        ByteBuffer batch = ByteBuffer.allocate(1024);
        for (int i = 0; i < 3; i++) {
            BatchBody.encode(
                    batch,
                    i,
                    ByteBuffer.wrap(("b" + i).getBytes(UTF_8)),
                    ("KEYS\u0001k" + i + "\u0002").getBytes(UTF_8));
        }

        Reply reply = RunningBroker.get(broker.call(
                SendBatchMessage.CODE,
                new SendMessageV2.Request(request("T", "")),
                Unpooled.wrappedBuffer(batch.flip())));

        SendMessage.Response response = SendMessage.Response.decode(reply.header());
        assertThat(response.queueOffset()).isEqualTo(1);
        String[] ids = response.msgId().split(",");
        assertThat(ids).hasSize(3);
        for (int i = 0; i < 3; i++) {
            MessageView message = broker.message(ids[i]);
            assertThat(body(message)).isEqualTo("b" + i);
            assertThat(message.queueOffset()).isEqualTo(1 + i);
            assertThat(message.flag()).isEqualTo(i);
            assertThat(message.property("KEYS")).contains("k" + i);
        }
    }

    @Test
    void aBatchWithAWrongLengthIsIllegalAndStoresNothing() throws Exception {
        ByteBuffer batch = ByteBuffer.allocate(64);
        BatchBody.encode(batch, 0, ByteBuffer.wrap(new byte[8]), new byte[0]);
        batch.putInt(-1).flip();

        Reply reply = RunningBroker.get(broker.call(
                SendBatchMessage.CODE, new SendMessageV2.Request(request("T", "")), Unpooled.wrappedBuffer(batch)));

        assertThat(reply.code()).isEqualTo(13);
        assertThat(broker.maxOffset("T", 0)).isZero();
    }

    @Test
    void topicsAndMessagesOutliveARestart() throws Exception {
        String id = broker.stored(request("T", ""), "kept").msgId();
        broker.close();

        broker = new RunningBroker(directory, BrokerSettings.defaults(), new VirtualTime(2_000_000));

        assertThat(body(broker.message(id))).isEqualTo("kept");
        assertThat(broker.stored(request("T", ""), "next").queueOffset()).isEqualTo(1);
        Reply topics = broker.ask(GetAllTopicConfig.CODE, new GetAllTopicConfig.Request(0, "", 0));
        assertThat(TopicConfigTable.read(topics.body()).dataVersion().stateVersion())
                .isEqualTo(2);
    }

    @Test
    void aSendWithoutAQueueTakesOneThatProducersUse() throws Exception {
        CreateTopic.Request topic = new CreateTopic.Request("T", "TBW102", 4, 1, 6, "SINGLE_TAG", 0, false, "", false);
        assertThat(broker.ask(CreateTopic.CODE, topic).code()).isZero();

        for (int i = 0; i < 4; i++) {
            assertThat(broker.stored(queue(-1), "m").queueId()).isZero();
        }
    }

    @Test
    void topicOfAMessageTypeRefusesOthersAndSaysWhatToDo() throws Exception {
        createTopic("+message.type=NORMAL");

        Reply delayed = broker.send(request("T", "DELAY\u00013\u0002"), "m");

        assertThat(delayed.code()).isEqualTo(13);
        assertThat(delayed.remark())
                .contains("topic=T has message.type=NORMAL and takes no DELAY message; send it to another topic, or"
                        + " change the attribute to DELAY or MIXED");
        assertThat(broker.send(request("T", ""), "m").code()).isZero();
        createTopic("+message.type=MIXED");
        assertThat(broker.send(request("T", "DELAY\u00013\u0002"), "m").code()).isZero();
    }

    @Test
    void priorityIsTheQueueWhicheverWasAskedFor() throws Exception {
        createTopic("+message.type=PRIORITY");

        assertThat(broker.stored(request("T", priority("2")), "m").queueId()).isEqualTo(2);
        assertThat(broker.stored(request("T", priority("99")), "m").queueId()).isEqualTo(3);
        assertThat(broker.stored(request("T", ""), "m").queueId()).isZero();
        assertThat(broker.send(request("T", priority("-1")), "m").code()).isEqualTo(13);
        assertThat(broker.send(request("T", priority("high")), "m").remark())
                .contains("property _SYS_MSG_PRIORITY_ of 4 bytes is not a number from 0 to 999999999");
    }

    private void createTopic(String attributes) throws Exception {
        CreateTopic.Request request =
                new CreateTopic.Request("T", "TBW102", 4, 4, 6, "SINGLE_TAG", 0, false, attributes, false);
        assertThat(broker.ask(CreateTopic.CODE, request).code()).isZero();
    }

    private static String priority(String value) {
        return "_SYS_MSG_PRIORITY_\u0001" + value + "\u0002";
    }

    private static SendMessage.Request queue(int queueId) {
        return new SendMessage.Request("p", "T", "TBW102", 4, queueId, 0, 77, 5, new byte[0], 0, false, false, -1);
    }

    private static String body(MessageView message) {
        return UTF_8.decode(message.body()).toString();
    }
}
