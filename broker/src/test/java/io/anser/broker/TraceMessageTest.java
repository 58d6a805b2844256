package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.broker.RunningBroker.BrokerClient;
import io.anser.protocol.body.ClientReport;
import io.anser.protocol.body.ClientReport.What;
import io.anser.protocol.body.MessageCopy;
import io.anser.protocol.body.MessageCopy.Progress;
import io.anser.protocol.body.MessageCopy.Stage;
import io.anser.protocol.body.MessageCopy.State;
import io.anser.protocol.body.MessageTrail;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.message.OffsetMessageId;
import io.anser.protocol.operation.ConsumerSendMessageBack;
import io.anser.protocol.operation.CreateSubscriptionGroup;
import io.anser.protocol.operation.EndTransaction;
import io.anser.protocol.operation.RecallMessage;
import io.anser.protocol.operation.SendMessage;
import io.anser.protocol.operation.TraceMessage;
import io.anser.protocol.operation.UpdateConsumerOffset;
import io.anser.system.VirtualTime;
import io.anser.transport.Reply;
import io.netty.buffer.Unpooled;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Asks one question about a message, and gets everything that the broker knows about it. */
class TraceMessageTest {
    private static final String ID = "7F0000010A0B18B4AAC2A5E3F1D70000";

    private static final FieldName RECALL_HANDLE = FieldName.of("recallHandle");

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
    void everyIdOfAMessageLeadsToItsPlaceAndItsTimes() throws Exception {
        long now = broker.time.wallMillis();
        broker.stored(request("T", ""), "before");
        String offsetId = broker.stored(request("T", sentWith("k1 k2")), "m").msgId();

        MessageTrail trail = trace("T", ID);

        assertThat(trail.complete()).isTrue();
        assertThat(trail.reports()).isEmpty();
        MessageCopy copy = only(trail);
        assertThat(copy.topic()).isEqualTo("T");
        assertThat(copy.queueId()).isZero();
        assertThat(copy.queueOffset()).isEqualTo(1);
        assertThat(copy.offsetMsgId()).isEqualTo(offsetId);
        assertThat(copy.uniqueId()).isEqualTo(ID);
        assertThat(copy.keys()).isEqualTo("k1 k2");
        assertThat(copy.bornTimestamp()).isEqualTo(77);
        assertThat(copy.bornHost()).startsWith("127.0.0.1:");
        assertThat(copy.storeTimestamp()).isEqualTo(now);
        assertThat(copy.state()).isEqualTo(State.READABLE);
        assertThat(copy.consumers()).isEmpty();
        assertThat(trace("T", "k2")).isEqualTo(trail);
        assertThat(trace("T", offsetId)).isEqualTo(trail);
        assertThat(trace("", offsetId)).isEqualTo(trail);
    }

    @Test
    void whatIsNotThereIsNotFound() throws Exception {
        broker.stored(request("T", sentWith("k")), "m");

        assertNotFound(ask("T", "other"), "no message with this id or key in topic=T");
        assertNotFound(ask("Unknown", ID), "no message with this id or key in topic=Unknown");
        assertNotFound(ask("", ID), "no message has this offset id, and other ids need the topic");
        String elsewhere = "7F00000100002A9F0000000000000000";
        assertNotFound(ask("", elsewhere), "no message has this offset id, and other ids need the topic");
    }

    private static void assertNotFound(Reply reply, String remark) {
        assertThat(reply.remark()).hasValue(remark);
        assertThat(reply.code()).isEqualTo(22);
    }

    @Test
    void eachGroupTellsHowFarItIs() throws Exception {
        for (int i = 0; i < 5; i++) {
            broker.stored(request("T", ""), "before");
        }
        broker.stored(request("T", sentWith("k")), "m");
        commit("behind", 2);
        commit("done", 6);
        commit("next", 5);

        assertThat(only(trace("T", ID)).consumers())
                .containsExactly(
                        new Progress("behind", Stage.AHEAD, 0, 3),
                        new Progress("done", Stage.ACKNOWLEDGED, 0, 0),
                        new Progress("next", Stage.AHEAD, 0, 0));
    }

    @Test
    void aMessageThatWasPoppedIsOutUntilItIsAcknowledged() throws Exception {
        broker.stored(request("T", ""), "first");
        broker.stored(request("T", sentWith("k")), "m");
        PoppingClient workers = new PoppingClient(broker.anotherClient(), "workers", "T");
        long until = broker.time.wallMillis() + 60_000;

        List<PoppingClient.Popped> popped = workers.pop(32, 60_000);

        assertThat(popped).hasSize(2);
        assertThat(only(trace("T", ID)).consumers()).containsExactly(new Progress("workers", Stage.OUT, until, 0));
        assertThat(workers.ack(popped.get(1))).isZero();
        assertThat(only(trace("T", ID)).consumers()).containsExactly(new Progress("workers", Stage.ACKNOWLEDGED, 0, 0));
    }

    @Test
    void retriesAndDeadLettersAreCopiesOfTheSameMessage() throws Exception {
        createGroup("g");
        String first = broker.stored(request("T", sentWith("k")), "m").msgId();
        commit("g", 1);
        sendBack(first, 1);

        List<MessageCopy> waiting = trace("T", ID).copies();
        assertThat(waiting).extracting(MessageCopy::topic).containsExactly("T", "SCHEDULE_TOPIC_XXXX");
        assertThat(waiting).extracting(MessageCopy::state).containsExactly(State.READABLE, State.WAITING);
        assertThat(waiting.get(0).consumers()).containsExactly(new Progress("g", Stage.ACKNOWLEDGED, 0, 0));
        assertThat(waiting.get(1).dueTimestamp()).isEqualTo(broker.time.wallMillis() + 10_000);

        broker.time.advance(Duration.ofSeconds(10));
        await().until(() -> broker.maxOffset("%RETRY%g", 0) == 1);
        List<MessageCopy> tried = trace("T", ID).copies();
        sendBack(tried.get(2).offsetMsgId(), 1);

        List<MessageCopy> dead = trace("T", ID).copies();
        assertThat(dead)
                .extracting(MessageCopy::topic)
                .containsExactly("T", "SCHEDULE_TOPIC_XXXX", "%RETRY%g", "%DLQ%g");
        assertThat(dead)
                .extracting(MessageCopy::state)
                .containsExactly(State.READABLE, State.DELIVERED, State.READABLE, State.DEAD_LETTER);
        assertThat(dead).extracting(MessageCopy::reconsumeTimes).containsExactly(0, 1, 1, 2);
        assertThat(trace("", dead.get(3).offsetMsgId()).copies())
                .as("from the dead letter on")
                .isEqualTo(dead);
    }

    @Test
    void aMessageThatWasPutOffWaitsIsDeliveredOrTakenBack() throws Exception {
        broker.stored(request("T", sentWith("k") + "DELAY\u00011\u0002"), "later");
        assertThat(only(trace("T", ID)).state()).isEqualTo(State.WAITING);
        String other = ID.substring(0, 31) + "1";
        Reply recalled =
                broker.send(request("T", "UNIQ_KEY\u0001" + other + "\u0002TIMER_DELAY_MS\u00015000\u0002"), "never");
        String handle = recalled.header().string(RECALL_HANDLE);
        assertThat(broker.ask(RecallMessage.CODE, new RecallMessage.Request("p", "T", handle))
                        .code())
                .isZero();

        broker.time.advance(Duration.ofSeconds(1));
        await().until(() -> broker.maxOffset("T", 0) == 1);

        assertThat(trace("T", ID).copies())
                .extracting(MessageCopy::state)
                .containsExactly(State.DELIVERED, State.READABLE);
        assertThat(only(trace("T", other)).state()).isEqualTo(State.RECALLED);
    }

    @Test
    void aMessageThatWaitsIsFoundByItsKeyToo() throws Exception {
        broker.stored(request("T", sentWith("order-1") + "DELAY\u00011\u0002"), "later");
        broker.stored(request("Other", "KEYS\u0001order-1 order-2\u0002DELAY\u00011\u0002"), "of another topic");
        assertThat(only(trace("T", "order-1")).uniqueId()).isEqualTo(ID);
        assertNotFound(ask("T", "order-2"), "no message with this id or key in topic=T");

        SendMessage.Response half = half(ID.substring(0, 31) + "1", "order-3");
        assertThat(only(trace("T", "order-3")).state()).isEqualTo(State.UNDECIDED);
        end(half, EndTransaction.COMMIT);
        assertThat(trace("T", "order-3").copies())
                .extracting(MessageCopy::state)
                .containsExactly(State.COMMITTED, State.READABLE);
    }

    @Test
    void whatTheBrokerKnowsOutlivesARestart() throws Exception {
        broker.stored(request("T", sentWith("k")), "m");
        commit("done", 1);
        MessageTrail before = trace("T", ID);
        long now = broker.time.wallMillis();
        broker.close();
        broker = new RunningBroker(directory, BrokerSettings.defaults(), new VirtualTime(now));

        assertThat(trace("T", ID)).isEqualTo(before);
    }

    @Test
    void theReportsOfClientsAreJoined() throws Exception {
        broker.stored(request("T", sentWith("k")), "m");
        String sent = "Pub\u00011000\u0001region\u0001makers\u0001T\u0001" + ID
                + "\u0001tag\u0001k\u0001127.0.0.1:9876\u00015\u00013\u00010\u0001offsetId\u0001true\u00011.2.3.4\u0002";
        String handed = "SubBefore\u00012000\u0001region\u0001g\u0001req\u0001" + ID + "\u00012\u0001k\u0002";
        String consumed = "SubAfter\u0001req\u0001" + ID + "\u000112\u0001false\u0001k\u00015\u00012012\u0001g\u0002";
        String ofAnother = "SubBefore\u00012000\u0001region\u0001g\u0001req\u0001another\u00010\u0001k\u0002";
        traced("another " + ID, handed + ofAnother + consumed + "\u0001nonsense\u0002");
        traced(ID + " k", sent);

        List<ClientReport> reports = trace("T", ID).reports();

        assertThat(reports).extracting(ClientReport::what).containsExactly(What.SENT, What.HANDED_OVER, What.CONSUMED);
        assertThat(reports).extracting(ClientReport::timestamp).containsExactly(1000L, 2000L, 2012L);
        assertThat(reports).extracting(ClientReport::group).containsExactly("makers", "g", "g");
        assertThat(reports).extracting(ClientReport::success).containsExactly(true, true, false);
        assertThat(reports).extracting(ClientReport::costMillis).containsExactly(3L, 0L, 12L);
        assertThat(reports).extracting(ClientReport::reconsumeTimes).containsExactly(0, 2, 0);
        assertThat(reports).extracting(ClientReport::detail).containsExactly("", "", "code=5");
        assertThat(reports).extracting(ClientReport::client).allMatch(client -> client.startsWith("127.0.0.1:"));
    }

    private void traced(String keys, String text) throws Exception {
        broker.stored(request("RMQ_SYS_TRACE_TOPIC", "KEYS\u0001" + keys + "\u0002"), text);
    }

    @Test
    void aMessageOfATransactionIsUndecidedAndThenDecided() throws Exception {
        SendMessage.Response half = half(ID);
        assertThat(only(trace("T", ID)).state()).isEqualTo(State.UNDECIDED);
        end(half, EndTransaction.COMMIT);
        assertThat(trace("T", ID).copies())
                .extracting(MessageCopy::state)
                .containsExactly(State.COMMITTED, State.READABLE);

        String other = ID.substring(0, 31) + "1";
        end(half(other), EndTransaction.ROLLBACK);
        assertThat(only(trace("T", other)).state()).isEqualTo(State.ROLLED_BACK);
    }

    private SendMessage.Response half(String id) throws Exception {
        return half(id, "k");
    }

    private SendMessage.Response half(String id, String key) throws Exception {
        byte[] properties = ("KEYS\u0001" + key + "\u0002UNIQ_KEY\u0001" + id
                        + "\u0002TRAN_MSG\u0001true\u0002PGROUP\u0001p\u0002")
                .getBytes(UTF_8);
        return broker.stored(
                new SendMessage.Request("p", "T", "TBW102", 4, 0, 4, 77, 5, properties, 0, false, false, -1), "half");
    }

    private void end(SendMessage.Response half, int decision) throws Exception {
        long position = OffsetMessageId.decode(half.msgId()).physicalOffset();
        EndTransaction.Request request =
                new EndTransaction.Request("T", "p", half.queueOffset(), position, decision, false, "", "");
        assertThat(broker.ask(EndTransaction.CODE, request).code()).isZero();
    }

    private static String sentWith(String keys) {
        return "KEYS\u0001" + keys + "\u0002UNIQ_KEY\u0001" + ID + "\u0002";
    }

    private void commit(String group, long offset) throws Exception {
        BrokerClient client = broker.anotherClient();
        UpdateConsumerOffset.Request request = new UpdateConsumerOffset.Request(group, "T", 0, offset);
        assertThat(client.ask(UpdateConsumerOffset.CODE, request, new byte[0]).code())
                .isZero();
    }

    private void createGroup(String name) throws Exception {
        byte[] body = SubscriptionGroupConfig.defaults(name).write();
        Reply reply = RunningBroker.get(
                broker.call(CreateSubscriptionGroup.CODE, FieldSource.NONE, Unpooled.wrappedBuffer(body)));
        assertThat(reply.code()).isZero();
    }

    private void sendBack(String messageId, int max) throws Exception {
        long position = OffsetMessageId.decode(messageId).physicalOffset();
        Reply reply = broker.ask(
                ConsumerSendMessageBack.CODE,
                new ConsumerSendMessageBack.Request(position, "g", 0, "", "T", false, max));
        assertThat(reply.code()).as(reply.remark().orElse("")).isZero();
    }

    private static MessageCopy only(MessageTrail trail) {
        assertThat(trail.copies()).hasSize(1);
        return trail.copies().get(0);
    }

    private Reply ask(String topic, String id) throws Exception {
        return broker.ask(TraceMessage.CODE, new TraceMessage.Request(topic, id));
    }

    private MessageTrail trace(String topic, String id) throws Exception {
        Reply reply = ask(topic, id);
        assertThat(reply.code()).as(reply.remark().orElse("")).isZero();
        return MessageTrail.read(reply.body());
    }
}
