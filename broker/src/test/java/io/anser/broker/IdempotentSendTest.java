package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.message.BatchBody;
import io.anser.protocol.message.OffsetMessageId;
import io.anser.protocol.operation.CreateSubscriptionGroup;
import io.anser.protocol.operation.CreateTopic;
import io.anser.protocol.operation.DeleteTopicInBroker;
import io.anser.protocol.operation.RecallMessage;
import io.anser.protocol.operation.SendBatchMessage;
import io.anser.protocol.operation.SendMessage;
import io.anser.protocol.operation.SendMessageV2;
import io.anser.system.VirtualTime;
import io.anser.transport.Reply;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sends the same messages again, over the port of a whole broker. */
class IdempotentSendTest {
    private static final FieldName DUPLICATE = FieldName.of("duplicate");

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
    void keyOfTheApplicationCountsInEveryTopicForTwoMinutes() throws Exception {
        Reply first = broker.send(key("T", "k"), "m");
        broker.time.advance(Duration.ofSeconds(119));
        Reply second = broker.send(key("T", "k"), "m");
        broker.time.advance(Duration.ofSeconds(1));
        Reply third = broker.send(key("T", "k"), "m");

        assertThat(second.code()).isZero();
        assertThat(stored(second)).isEqualTo(stored(first));
        assertThat(isDuplicate(first)).isFalse();
        assertThat(isDuplicate(second)).isTrue();
        assertThat(isDuplicate(third)).isFalse();
        assertThat(broker.maxOffset("T", 0)).isEqualTo(2);
    }

    @Test
    void uniqueIdCountsOnlyWhereTheTopicAsksForIt() throws Exception {
        createTopic("Plain", "");
        createTopic("Once", "+dedup.window=10s");
        for (String topic : List.of("Plain", "Once")) {
            broker.stored(request(topic, "UNIQ_KEY\u0001u1\u0002"), "m");
            broker.stored(request(topic, "UNIQ_KEY\u0001u1\u0002"), "m");
            broker.stored(request(topic, "UNIQ_KEY\u0001u2\u0002"), "m");
            broker.stored(request(topic, ""), "m");
            broker.stored(request(topic, ""), "m");
        }

        assertThat(broker.maxOffset("Plain", 0)).isEqualTo(5);
        assertThat(broker.maxOffset("Once", 0)).isEqualTo(4);
    }

    @Test
    void repeatedSendToAnotherQueueHearsOfTheQueueOfTheFirst() throws Exception {
        broker.stored(key("T", "other"), "m");
        SendMessage.Request elsewhere =
                new SendMessage.Request("p", "T", "TBW102", 4, 3, 0, 77, 5, properties("k"), 0, false, false, -1);
        Reply first = broker.send(key("T", "k"), "m");

        Reply second = broker.send(elsewhere, "m");

        assertThat(stored(second)).isEqualTo(stored(first));
        assertThat(stored(second).queueId()).isZero();
        assertThat(stored(second).queueOffset()).isEqualTo(1);
        assertThat(broker.maxOffset("T", 3)).isZero();
    }

    @Test
    void sendsAtOnceStoreOneMessage() throws Exception {
        broker.stored(request("T", ""), "m");
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            replies.add(broker.sendLater(key("T", "k"), Unpooled.copiedBuffer("m", UTF_8)));
        }

        for (CompletableFuture<Reply> reply : replies) {
            assertThat(stored(RunningBroker.get(reply))).isEqualTo(stored(RunningBroker.get(replies.get(0))));
        }
        assertThat(broker.maxOffset("T", 0)).isEqualTo(2);
    }

    @Test
    void restartForgetsNoKey() throws Exception {
        Reply first = broker.send(key("T", "k"), "m");
        broker.close();
        broker = new RunningBroker(directory, BrokerSettings.defaults(), new VirtualTime(1_100_000));

        Reply second = broker.send(key("T", "k"), "m");

        // The broker listens on another port, which is part of the id.
        assertThat(position(second)).isEqualTo(position(first));
        assertThat(stored(second).queueOffset()).isZero();
        assertThat(isDuplicate(second)).isTrue();
        assertThat(broker.maxOffset("T", 0)).isEqualTo(1);
    }

    @Test
    void delayedMessageIsPutOffOnce() throws Exception {
        String properties = "DELAY\u00013\u0002IDEMPOTENCY_KEY\u0001k\u0002";
        Reply first = broker.send(request("T", properties), "m");
        Reply second = broker.send(request("T", properties), "m");

        assertThat(stored(second)).isEqualTo(stored(first));
        assertThat(isDuplicate(second)).isTrue();
        assertThat(broker.maxOffset("SCHEDULE_TOPIC_XXXX", 2)).isEqualTo(1);
    }

    /** The second send would be answered as a repetition, and its message never be delivered. */
    @Test
    void delayedMessageThatWasTakenBackMayBeSentAgain() throws Exception {
        String properties = "DELAY\u00013\u0002UNIQ_KEY\u0001u\u0002IDEMPOTENCY_KEY\u0001k\u0002";
        Reply first = broker.send(request("T", properties), "m");
        String handle = first.header().string(FieldName.of("recallHandle"), "");
        assertThat(broker.ask(RecallMessage.CODE, new RecallMessage.Request("p", "T", handle))
                        .code())
                .isZero();
        Reply second = broker.send(request("T", properties), "m");
        Reply third = broker.send(request("T", properties), "m");

        assertThat(isDuplicate(second)).isFalse();
        assertThat(isDuplicate(third)).isTrue();
        assertThat(stored(third)).isEqualTo(stored(second));
        broker.time.advance(Duration.ofSeconds(11));
        await().until(() -> broker.maxOffset("T", 0) == 1);
    }

    @Test
    void batchIsStoredOnceAndAnsweredWithTheSameIds() throws Exception {
        createTopic("Once", "+dedup.window=1m");
        Reply first = sendBatch("Once", "UNIQ_KEY\u0001b1\u0002", "KEYS\u0001a\u0002");
        Reply second = sendBatch("Once", "UNIQ_KEY\u0001b1\u0002", "KEYS\u0001a\u0002");

        assertThat(stored(second)).isEqualTo(stored(first));
        assertThat(stored(second).msgId().split(",")).hasSize(3);
        assertThat(broker.message(stored(second).msgId().split(",")[2]).queueOffset())
                .isEqualTo(2);
        assertThat(broker.maxOffset("Once", 0)).isEqualTo(3);
    }

    @Test
    void keyOfOneMessageInABatchIsRefused() throws Exception {
        Reply reply = sendBatch("T", "", "IDEMPOTENCY_KEY\u0001k\u0002");

        assertThat(reply.code()).isEqualTo(13);
        assertThat(reply.remark())
                .contains("batch message 0 has a property IDEMPOTENCY_KEY: send it by itself, or give the key to the"
                        + " batch");
    }

    @Test
    void retriesAreStoredHoweverOften() throws Exception {
        byte[] group = SubscriptionGroupConfig.defaults("g").write();
        broker.call(CreateSubscriptionGroup.CODE, FieldSource.NONE, Unpooled.wrappedBuffer(group))
                .get();

        broker.stored(key("%RETRY%g", "k"), "m");
        broker.stored(key("%RETRY%g", "k"), "m");

        assertThat(broker.maxOffset("%RETRY%g", 0)).isEqualTo(2);
    }

    @Test
    void topicMadeAnewHasNoKeys() throws Exception {
        createTopic("T", "");
        broker.stored(key("T", "k"), "m");
        assertThat(broker.ask(DeleteTopicInBroker.CODE, new DeleteTopicInBroker.Request("T"))
                        .code())
                .isZero();
        broker.time.advance(Duration.ofMillis(1));
        createTopic("T", "");

        assertThat(isDuplicate(broker.send(key("T", "k"), "m"))).isFalse();
        assertThat(broker.maxOffset("T", 0)).isEqualTo(1);
    }

    @Test
    void windowThatMakesNoSenseIsRefused() throws Exception {
        CreateTopic.Request request =
                new CreateTopic.Request("T", "TBW102", 4, 4, 6, "SINGLE_TAG", 0, false, "+dedup.window=8d", false);

        Reply reply = broker.ask(CreateTopic.CODE, request);

        assertThat(reply.code()).isNotZero();
        assertThat(reply.remark().orElse(""))
                .contains("attribute dedup.window=8d allowed=0 (off) or 1s..7d, such as 120, 2m, 1h");
    }

    private Reply sendBatch(String topic, String properties, String propertiesOfEach) throws Exception {
        ByteBuffer batch = ByteBuffer.allocate(1024);
        for (int i = 0; i < 3; i++) {
            BatchBody.encode(batch, i, ByteBuffer.wrap(("b" + i).getBytes(UTF_8)), propertiesOfEach.getBytes(UTF_8));
        }
        return RunningBroker.get(broker.call(
                SendBatchMessage.CODE,
                new SendMessageV2.Request(request(topic, properties)),
                Unpooled.wrappedBuffer(batch.flip())));
    }

    private void createTopic(String topic, String attributes) throws Exception {
        CreateTopic.Request request =
                new CreateTopic.Request(topic, "TBW102", 4, 4, 6, "SINGLE_TAG", 0, false, attributes, false);
        assertThat(broker.ask(CreateTopic.CODE, request).code()).isZero();
    }

    private static SendMessage.Request key(String topic, String key) {
        return request(topic, new String(properties(key), UTF_8));
    }

    private static byte[] properties(String key) {
        return ("IDEMPOTENCY_KEY\u0001" + key + "\u0002").getBytes(UTF_8);
    }

    private static SendMessage.Response stored(Reply reply) {
        return SendMessage.Response.decode(reply.header());
    }

    private static long position(Reply reply) {
        return OffsetMessageId.decode(stored(reply).msgId()).physicalOffset();
    }

    private static boolean isDuplicate(Reply reply) {
        return reply.header().string(DUPLICATE, "").equals("true");
    }
}
