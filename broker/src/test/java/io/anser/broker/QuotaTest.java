package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.broker.RunningBroker.BrokerClient;
import io.anser.broker.flow.FlowSettings;
import io.anser.broker.testing.WireMessages;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.message.BatchBody;
import io.anser.protocol.operation.CreateTopic;
import io.anser.protocol.operation.GetBrokerRuntimeInfo;
import io.anser.protocol.operation.PullMessage;
import io.anser.protocol.operation.SendMessage;
import io.anser.protocol.operation.SendMessageV2;
import io.anser.system.VirtualTime;
import io.anser.transport.Reply;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Quotas of topics and clients, over the port of a whole broker. Its clock stands still unless it is moved. */
class QuotaTest {
    private static final int SUBSCRIPTION = 4;

    @TempDir
    Path directory;

    private RunningBroker broker;

    @AfterEach
    void close() {
        broker.close();
    }

    private void open(FlowSettings flow) throws Exception {
        broker = new RunningBroker(directory, BrokerSettings.defaults().withFlow(flow), new VirtualTime(1_000_000));
    }

    private static FlowSettings clientQuota(long produceMessages, long consumeMessages) {
        return new FlowSettings(0, 0, 0, produceMessages, 0, consumeMessages, 900);
    }

    private void createTopic(String topic, String attributes) throws Exception {
        Reply reply = broker.ask(
                CreateTopic.CODE,
                new CreateTopic.Request(topic, "TBW102", 4, 4, 6, "SINGLE_TAG", 0, true, attributes, false));
        assertThat(reply.code()).as(reply.remark().orElse("")).isZero();
    }

    private List<CompletableFuture<Reply>> send(BrokerClient client, String topic, int count) {
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            replies.add(client.call(
                    SendMessageV2.CODE, new SendMessageV2.Request(request(topic, "")), ("m" + i).getBytes(UTF_8)));
        }
        return replies;
    }

    private static long done(List<CompletableFuture<Reply>> replies) {
        return replies.stream().filter(CompletableFuture::isDone).count();
    }

    private static List<Integer> codes(List<CompletableFuture<Reply>> replies) {
        return replies.stream()
                .filter(CompletableFuture::isDone)
                .map(reply -> reply.join().code())
                .toList();
    }

    @Test
    void withoutQuotasNothingWaits() throws Exception {
        open(FlowSettings.defaults());
        createTopic("T", "");
        List<CompletableFuture<Reply>> replies = send(broker.anotherClient(), "T", 2_000);
        for (CompletableFuture<Reply> reply : replies) {
            assertThat(RunningBroker.get(reply).code()).isZero();
        }
        assertThat(broker.figures())
                .containsEntry("quotaDelays", "0")
                .containsEntry("quotaRefusals", "0")
                .containsEntry("quotaTopics", "")
                .containsEntry("sendsHeld", "0");
    }

    @Test
    void whoSendsOneByOneIsSlowedDownToTheQuotaOfTheTopicAndNeverRefused() throws Exception {
        open(FlowSettings.defaults());
        createTopic("T", "+quota.produce.messages=10");
        BrokerClient sender = broker.anotherClient();
        long before = broker.time.nanos();
        for (int i = 0; i < 40; i++) {
            CompletableFuture<Reply> reply = send(sender, "T", 1).get(0);
            while (!isDoneSoon(reply)) {
                broker.time.advance(Duration.ofMillis(50));
            }
            assertThat(reply.join().code()).isZero();
        }
        long millis = Duration.ofNanos(broker.time.nanos() - before).toMillis();

        // 11 at once, each of the others 100 ms after the one before.
        assertThat(millis).isGreaterThanOrEqualTo(2_800);
        assertThat(broker.maxOffset("T", 0)).isEqualTo(40);
        assertThat(broker.figures().get("quotaTopics"))
                .startsWith("topic=T limit=10 messages/s asked=")
                .contains(" (attribute quota.produce.messages) delays=")
                .endsWith(" refusals=0");
        assertThat(broker.figures()).containsEntry("quotaRefusals", "0");
    }

    /** Requests of one connection are read in order: this one is answered when all before it have come. */
    private static void awaitArrival(BrokerClient client) throws Exception {
        assertThat(client.ask(GetBrokerRuntimeInfo.CODE, FieldSource.NONE, new byte[0])
                        .code())
                .isZero();
    }

    private static boolean isDoneSoon(CompletableFuture<Reply> reply) throws Exception {
        try {
            reply.get(20, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException notYet) {
            return false;
        }
    }

    @Test
    void aFloodIsHeldBackForAWhileAndThenToldWhatItIsTooMuchFor() throws Exception {
        open(FlowSettings.defaults());
        createTopic("T", "+quota.produce.messages=10");
        BrokerClient flooding = broker.anotherClient();
        List<CompletableFuture<Reply>> replies = send(flooding, "T", 300);
        // Requests of one connection are read in order: this one comes when all of those have come.
        assertThat(flooding.ask(GetBrokerRuntimeInfo.CODE, FieldSource.NONE, new byte[0])
                        .code())
                .isZero();
        await().until(() -> done(replies) == 11);

        for (int i = 1; i <= 8; i++) {
            broker.time.advance(Duration.ofMillis(100));
            int due = 11 + i;
            await().until(() -> done(replies) == due);
        }
        assertThat(codes(replies)).as("none is refused before the wait is over").containsOnly(0);
        broker.time.advance(Duration.ofMillis(100));
        await().until(() -> done(replies) == 300);

        assertThat(codes(replies).stream().filter(code -> code == 0)).hasSize(20);
        Reply refused = replies.get(299).join();
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.remark())
                .contains("over the quota of topic=T: limit=10 messages/s asked=300.0 messages/s"
                        + " (attribute quota.produce.messages); waited 900 ms");
        assertThat(broker.maxOffset("T", 0)).isEqualTo(20);
        assertThat(broker.figures())
                .containsEntry("quotaDelays", "9")
                .containsEntry("quotaRefusals", "280")
                .containsEntry("sendsHeld", "0");
    }

    @Test
    void sendsThatWaitKeepTheirOrderAndHoldUpNoOtherTopic() throws Exception {
        open(FlowSettings.defaults());
        createTopic("T", "+quota.produce.messages=10");
        createTopic("Free", "");
        BrokerClient sender = broker.anotherClient();
        List<CompletableFuture<Reply>> replies = send(sender, "T", 20);
        for (CompletableFuture<Reply> reply : send(sender, "Free", 50)) {
            assertThat(RunningBroker.get(reply).code()).isZero();
        }
        assertThat(done(replies)).isEqualTo(11);
        broker.time.advance(Duration.ofMillis(900));
        for (CompletableFuture<Reply> reply : replies) {
            assertThat(RunningBroker.get(reply).code()).isZero();
        }

        List<String> sent = IntStream.range(0, 20).mapToObj(i -> "m" + i).toList();
        Reply pulled = broker.anotherClient().ask(PullMessage.CODE, pull(0), new byte[0]);
        assertThat(WireMessages.bodies(pulled.body())).isEqualTo(sent);
    }

    @Test
    void bytesCountAsWellAndOneLargeMessageIsTaken() throws Exception {
        open(new FlowSettings(10_240, 0, 0, 0, 0, 0, 900));
        createTopic("T", "");
        BrokerClient sender = broker.anotherClient();
        byte[] large = new byte[15_000];
        SendMessageV2.Request send = new SendMessageV2.Request(request("T", ""));
        assertThat(RunningBroker.get(sender.call(SendMessageV2.CODE, send, large))
                        .code())
                .isZero();

        CompletableFuture<Reply> next = sender.call(SendMessageV2.CODE, send, large);
        awaitArrival(sender);
        assertThat(next).isNotDone();
        broker.time.advance(Duration.ofMillis(465));

        // 4,760 bytes were owed.
        assertThat(RunningBroker.get(next).code()).isZero();
        assertThat(broker.figures().get("quotaTopics")).startsWith("topic=T limit=10240 bytes/s");
    }

    @Test
    void theMessagesOfABatchAreCounted() throws Exception {
        open(FlowSettings.defaults());
        createTopic("T", "+quota.produce.messages=10");
        BrokerClient sender = broker.anotherClient();
        assertThat(RunningBroker.get(sendBatch(sender, 14)).code()).isZero();

        CompletableFuture<Reply> next = sendBatch(sender, 1);
        assertThat(isDoneSoon(next)).isFalse();
        broker.time.advance(Duration.ofMillis(399));
        assertThat(isDoneSoon(next)).isFalse();
        broker.time.advance(Duration.ofMillis(1));

        assertThat(RunningBroker.get(next).code()).isZero();
    }

    private CompletableFuture<Reply> sendBatch(BrokerClient sender, int messages) {
        ByteBuffer body = ByteBuffer.allocate(messages * 23);
        for (int i = 0; i < messages; i++) {
            body.putInt(23)
                    .putInt(0)
                    .putInt(0)
                    .putInt(0)
                    .putInt(1)
                    .put((byte) 'x')
                    .putShort((short) 0);
        }
        SendMessage.Request one = request("T", "");
        SendMessage.Request batch = new SendMessage.Request(
                one.producerGroup(), "T", "TBW102", 4, 0, 0, 77, 0, new byte[0], 0, false, true, -1);
        assertThat(new BatchBody().wrap(body.duplicate().flip()).check(100)).isEqualTo(messages);
        return sender.call(SendMessageV2.CODE, new SendMessageV2.Request(batch), body.array());
    }

    @Test
    void aTopicMayHaveMoreThanTheOthersOrNoLimit() throws Exception {
        open(new FlowSettings(0, 5, 0, 0, 0, 0, 900));
        createTopic("Few", "");
        createTopic("Free", "+quota.produce.messages=0");
        BrokerClient sender = broker.anotherClient();

        for (CompletableFuture<Reply> reply : send(sender, "Free", 100)) {
            assertThat(RunningBroker.get(reply).code()).isZero();
        }
        List<CompletableFuture<Reply>> few = send(broker.anotherClient(), "Few", 10);

        await().until(() -> done(few) == 6);
        assertThat(isDoneSoon(few.get(6))).isFalse();
        broker.time.advance(Duration.ofMillis(800));
        for (CompletableFuture<Reply> reply : few) {
            assertThat(RunningBroker.get(reply).code()).isZero();
        }
        createTopic("Few", "+quota.produce.messages=0");
        for (CompletableFuture<Reply> reply : send(sender, "Few", 100)) {
            assertThat(RunningBroker.get(reply).code()).isZero();
        }
    }

    @Test
    void aClientOverItsQuotaHoldsUpNobodyElse() throws Exception {
        open(clientQuota(10, 0));
        createTopic("T", "");
        List<CompletableFuture<Reply>> greedy = send(broker.anotherClient(), "T", 100);
        await().until(() -> done(greedy) == 11);

        for (CompletableFuture<Reply> reply : send(broker.anotherClient(), "T", 10)) {
            assertThat(RunningBroker.get(reply).code()).isZero();
        }

        assertThat(done(greedy)).isEqualTo(11);
        assertThat(broker.figures().get("quotaClients"))
                .startsWith("client=127.0.0.1:")
                .contains(" produce limit=10 messages/s ");
    }

    @Test
    void aConsumerOverItsQuotaWaitsWithoutErrorsAndMissesNothing() throws Exception {
        open(clientQuota(0, 10));
        createTopic("T", "");
        for (int i = 0; i < 60; i++) {
            broker.stored(request("T", ""), "m" + i);
        }
        BrokerClient consumer = broker.anotherClient();
        List<String> received = new ArrayList<>();
        List<Integer> codes = new ArrayList<>();
        long before = broker.time.nanos();
        long offset = 0;
        while (received.size() < 60) {
            CompletableFuture<Reply> reply = consumer.call(PullMessage.CODE, pull(offset), new byte[0]);
            while (!isDoneSoon(reply)) {
                broker.time.advance(Duration.ofMillis(50));
            }
            codes.add(reply.join().code());
            offset = PullMessage.Response.decode(reply.join().header()).nextBeginOffset();
            received.addAll(WireMessages.bodies(reply.join().body()));
        }

        assertThat(received)
                .hasSize(60)
                .doesNotHaveDuplicates()
                .startsWith("m0")
                .endsWith("m59");
        assertThat(codes).containsOnly(0, 20);
        // 20 of 60 at a time: the last are given out when the 40 before them are paid for, but for a second's worth.
        assertThat(Duration.ofNanos(broker.time.nanos() - before)).isGreaterThanOrEqualTo(Duration.ofSeconds(3));
        assertThat(broker.figures().get("quotaClients")).contains(" consume limit=10 messages/s ");
    }

    private static PullMessage.Request pull(long offset) {
        return new PullMessage.Request("g", "T", 0, offset, 20, SUBSCRIPTION, 0, 15_000, "*", 0, "TAG", -1);
    }

    @Test
    void popsWaitForTheQuotaToo() throws Exception {
        open(clientQuota(0, 10));
        createTopic("T", "");
        for (int i = 0; i < 30; i++) {
            broker.stored(request("T", ""), "m" + i);
        }
        BrokerClient connection = broker.anotherClient();
        PoppingClient consumer = new PoppingClient(connection, "g", "T");
        assertThat(consumer.pop(consumer.request(0, 25, 60_000, 0))).hasSize(25);

        CompletableFuture<Reply> next = consumer.start(consumer.request(0, 25, 60_000, 0));
        awaitArrival(connection);
        assertThat(next).isNotDone();
        broker.time.advance(Duration.ofMillis(910));
        assertThat(RunningBroker.get(next).code()).isEqualTo(210);
        assertThat(RunningBroker.get(next).remark().orElse("")).contains("over the quota of client=127.0.0.1:");

        broker.time.advance(Duration.ofMillis(700));
        assertThat(consumer.pop(consumer.request(0, 25, 60_000, 0))).hasSize(5);
    }

    @Test
    void anAttributeThatIsNoNumberIsRefused() throws Exception {
        open(FlowSettings.defaults());
        Reply reply = broker.ask(
                CreateTopic.CODE,
                new CreateTopic.Request(
                        "T", "TBW102", 4, 4, 6, "SINGLE_TAG", 0, true, "+quota.produce.bytes=fast", false));

        assertThat(reply.code()).isEqualTo(1);
        assertThat(reply.remark().orElse(""))
                .contains("attribute quota.produce.bytes=fast allowed=0 (no limit) or 1024..");
    }
}
