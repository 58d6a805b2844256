package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.broker.testing.WireMessages;
import io.anser.protocol.body.KvTable;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.OffsetMessageId;
import io.anser.protocol.operation.CleanExpiredConsumeQueue;
import io.anser.protocol.operation.CreateTopic;
import io.anser.protocol.operation.DeleteExpiredCommitLog;
import io.anser.protocol.operation.EndTransaction;
import io.anser.protocol.operation.GetBrokerRuntimeInfo;
import io.anser.protocol.operation.GetEarliestMessageStoreTime;
import io.anser.protocol.operation.GetMinOffset;
import io.anser.protocol.operation.PopMessage;
import io.anser.protocol.operation.PullMessage;
import io.anser.protocol.operation.QueryConsumerOffset;
import io.anser.protocol.operation.SearchOffsetByTimestamp;
import io.anser.protocol.operation.SendMessage;
import io.anser.store.StoreSettings;
import io.anser.store.retention.RetentionSettings;
import io.anser.system.VirtualTime;
import io.anser.transport.Reply;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages expire under consumers, and delayed messages outlive the segments that held them. */
class ExpiryTest {
    private static final long HOUR = Duration.ofHours(1).toMillis();
    private static final long START = 1_000_000_000_000L;
    private static final int SEGMENT_BYTES = 64 << 10;
    private static final int FILLERS = 40;

    @TempDir
    Path directory;

    private RunningBroker broker;

    @BeforeEach
    void open() throws Exception {
        broker = running(new VirtualTime(START));
        createTopic("T", "");
        createTopic("F", "");
    }

    @AfterEach
    void close() {
        broker.close();
    }

    private RunningBroker running(VirtualTime time) throws Exception {
        StoreSettings store = StoreSettings.defaults()
                .withDirectory(directory)
                .withSegmentBytes(SEGMENT_BYTES)
                .withRetention(new RetentionSettings(1, 0));
        return new RunningBroker(store, BrokerSettings.defaults(), time);
    }

    @Test
    void whatHasExpiredIsOutOfRangeForEveryRequest() throws Exception {
        fill("F");
        long stored = broker.time.wallMillis();
        pass(Duration.ofMinutes(50));
        broker.stored(request("F", ""), "young");
        pass(Duration.ofMinutes(12));
        await().until(() -> minOffset("F") == FILLERS);

        Reply reply = pull("F", 0);
        assertThat(reply.code()).isEqualTo(21);
        PullMessage.Response bounds = PullMessage.Response.decode(reply.header());
        assertThat(bounds.nextBeginOffset()).isEqualTo(FILLERS);
        assertThat(bounds.minOffset()).isEqualTo(FILLERS);
        assertThat(GetEarliestMessageStoreTime.Response.decode(broker.ask(
                                        GetEarliestMessageStoreTime.CODE,
                                        new GetEarliestMessageStoreTime.Request("F", 0))
                                .header())
                        .timestamp())
                .isEqualTo(stored + Duration.ofMinutes(50).toMillis());
        assertThat(SearchOffsetByTimestamp.Response.decode(broker.ask(
                                        SearchOffsetByTimestamp.CODE,
                                        new SearchOffsetByTimestamp.Request(
                                                "F", 0, 0, SearchOffsetByTimestamp.Boundary.LOWER))
                                .header())
                        .offset())
                .isEqualTo(FILLERS);
        assertThat(WireMessages.bodies(pull("F", FILLERS).body())).containsExactly("young");
    }

    @ParameterizedTest
    @ValueSource(ints = {CleanExpiredConsumeQueue.CODE, DeleteExpiredCommitLog.CODE})
    void whatHasExpiredGoesAtOnceWhenAnOperatorAsks(int code) throws Exception {
        createTopic("F", "+reserve.time=10");
        fill("F");
        pass(Duration.ofHours(2));
        broker.stored(request("F", ""), "young");
        assertThat(minOffset("F")).isZero();
        createTopic("F", "-reserve.time");

        assertThat(broker.ask(code, FieldSource.NONE).code()).isZero();

        await().until(() -> minOffset("F") == FILLERS); // the clock stands still: no other run comes
    }

    @Test
    void aTopicMayAskForALongerTime() throws Exception {
        createTopic("Long", "+reserve.time=10");
        broker.stored(request("Long", ""), "kept");
        fill("F");
        pass(Duration.ofHours(5));
        await().until(() -> minOffset("F") == FILLERS);
        assertThat(minOffset("Long")).isZero();
        assertThat(figure("retentionPinnedBytes")).startsWith("Long=");

        pass(Duration.ofHours(6));
        await().until(() -> minOffset("Long") == 1);
    }

    @Test
    void aRetentionThatIsNoneIsRefused() throws Exception {
        Reply reply = broker.ask(CreateTopic.CODE, topic("Bad", "+reserve.time=soon"));

        assertThat(reply.code()).isNotZero();
        assertThat(reply.remark())
                .contains("attribute reserve.time=soon allowed=-1 (as the broker) or 1..1000000 hours");
    }

    @Test
    void aDelayedMessageOutlivesItsSegmentAndARestart() throws Exception {
        broker.stored(request("T", "TIMER_DELAY_MS\u0001" + 10 * HOUR + "\u0002UNIQ_KEY\u0001u\u0002"), "late");
        for (int hour = 0; hour < 4; hour++) {
            fill("F");
            pass(Duration.ofHours(1));
        }
        await().until(() -> {
            pass(Duration.ofMinutes(1));
            return Long.parseLong(figure("commitLogMinOffset")) >= SEGMENT_BYTES;
        });
        assertThat(figure("delayedMessagesCarriedOver")).isNotEqualTo("0");
        assertThat(figure("delayedMessages")).isEqualTo("1");

        long now = broker.time.wallMillis();
        broker.close();
        broker = running(new VirtualTime(now));
        pass(Duration.ofMillis(START + 10 * HOUR - 1 - now));
        assertThat(broker.maxOffset("T", 0)).isZero();
        pass(Duration.ofMillis(1));
        await().until(() -> broker.maxOffset("T", 0) == 1);

        MessageView message =
                new MessageView().wrap(ByteBuffer.wrap(pull("T", 0).body()), 0);
        assertThat(UTF_8.decode(message.body()).toString()).isEqualTo("late");
        assertThat(message.property("UNIQ_KEY")).contains("u");
        assertThat(message.bornTimestamp()).isEqualTo(77);
        assertThat(figure("delayedMessages")).isEqualTo("0");
        pass(Duration.ofMinutes(5));
        assertThat(broker.maxOffset("T", 0)).isEqualTo(1);
    }

    @Test
    void aTransactionOutlivesTheSegmentOfItsHalfMessageAndARestart() throws Exception {
        SendMessage.Response half = broker.stored(
                request("T", "TRAN_MSG\u0001true\u0002CHECK_IMMUNITY_TIME_IN_SECONDS\u0001360000\u0002"), "half");
        SendMessage.Response decided = broker.stored(request("T", "TRAN_MSG\u0001true\u0002"), "decided");
        assertThat(end(decided, EndTransaction.ROLLBACK).code()).isZero();
        for (int hour = 0; hour < 4; hour++) {
            fill("F");
            pass(Duration.ofHours(1));
        }
        await().until(() -> {
            pass(Duration.ofMinutes(1));
            return Long.parseLong(figure("commitLogMinOffset")) >= SEGMENT_BYTES;
        });
        assertThat(figure("transactionsCarriedOver")).isNotEqualTo("0");
        assertThat(figure("transactionsOpen")).isEqualTo("1");

        long now = broker.time.wallMillis();
        broker.close();
        broker = running(new VirtualTime(now));
        assertThat(end(decided, EndTransaction.COMMIT).code()).isEqualTo(4);
        assertThat(end(half, EndTransaction.COMMIT).code()).isZero();

        assertThat(WireMessages.bodies(pull("T", 0).body())).containsExactly("half");
        assertThat(figure("transactionsOpen")).isEqualTo("0");
        assertThat(end(half, EndTransaction.COMMIT).code()).isZero();
        assertThat(broker.maxOffset("T", 0)).isEqualTo(1);
    }

    @Test
    void aGroupThatBeginsPoppingAtTheEndKeepsItsPlaceOverARestart() throws Exception {
        oldAndYoungMessages();
        assertThat(pop(PopMessage.INIT_MAX)).isEmpty();

        long now = broker.time.wallMillis();
        broker.close();
        broker = running(new VirtualTime(now));
        broker.stored(request("F", ""), "new");

        assertThat(PoppingClient.bodies(pop(PopMessage.INIT_MAX))).containsExactly("new");
    }

    @Test
    void aGroupThatBeginsPoppingAtTheStartGetsWhatIsLeft() throws Exception {
        oldAndYoungMessages();

        assertThat(PoppingClient.bodies(pop(PopMessage.INIT_MIN))).containsExactly("young");
    }

    @Test
    void poppedMessagesThatExpireAreDoneWith() throws Exception {
        broker.stored(request("F", ""), "old");
        assertThat(pop(PopMessage.INIT_MIN)).hasSize(1);
        oldAndYoungMessages();
        pass(Duration.ofMinutes(59));

        pass(Duration.ofMinutes(1));

        await().until(() -> committed() == 1);
        assertThat(broker.maxOffset("%RETRY%poppers+F", 0)).isEqualTo(-1);
    }

    private void oldAndYoungMessages() throws Exception {
        fill("F");
        pass(Duration.ofMinutes(50));
        broker.stored(request("F", ""), "young");
        pass(Duration.ofMinutes(12));
        await().until(() -> minOffset("F") >= FILLERS);
    }

    private List<PoppingClient.Popped> pop(int initMode) throws Exception {
        PoppingClient client = new PoppingClient(broker.anotherClient(), "poppers", "F");
        return client.pop(
                new PopMessage.Request("poppers", "F", -1, 32, 2 * HOUR, 0, 0, initMode, "TAG", "*", false, ""));
    }

    private long committed() throws Exception {
        return QueryConsumerOffset.Response.decode(
                        broker.ask(QueryConsumerOffset.CODE, new QueryConsumerOffset.Request("poppers", "F", 0, false))
                                .header())
                .offset();
    }

    /** Decides with the place that the producer was told, wherever the half message lies by now. */
    private Reply end(SendMessage.Response half, int decision) throws Exception {
        long position = OffsetMessageId.decode(half.msgId()).physicalOffset();
        return broker.ask(
                EndTransaction.CODE,
                new EndTransaction.Request("T", "p", half.queueOffset(), position, decision, false, "", ""));
    }

    private void fill(String topic) throws Exception {
        for (int i = 0; i < FILLERS; i++) {
            broker.stored(request(topic, ""), "x".repeat(4_000));
        }
    }

    private String figure(String name) throws Exception {
        return KvTable.read(
                        broker.ask(GetBrokerRuntimeInfo.CODE, FieldSource.NONE).body())
                .table()
                .get(name);
    }

    private long minOffset(String topic) throws Exception {
        return GetMinOffset.Response.decode(broker.ask(GetMinOffset.CODE, new GetMinOffset.Request(topic, 0))
                        .header())
                .offset();
    }

    private Reply pull(String topic, long offset) throws Exception {
        return broker.ask(
                PullMessage.CODE,
                new PullMessage.Request("reader", topic, 0, offset, 1, 4, 0, 0, "*", 0, "TAG", 1 << 20));
    }

    private static CreateTopic.Request topic(String name, String attributes) {
        return new CreateTopic.Request(name, "TBW102", 1, 1, 6, "SINGLE_TAG", 0, false, attributes, false);
    }

    private void createTopic(String name, String attributes) throws Exception {
        assertThat(broker.ask(CreateTopic.CODE, topic(name, attributes)).code()).isZero();
    }

    private void pass(Duration time) {
        broker.time.advance(time);
        // Idle connections were closed on the way: the first call may still meet the old one.
        await().ignoreExceptions().until(() -> !figure("topics").isEmpty());
    }
}
