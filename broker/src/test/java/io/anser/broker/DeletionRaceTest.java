package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.broker.testing.WireMessages;
import io.anser.protocol.body.ConsumeFromWhere;
import io.anser.protocol.body.ConsumeType;
import io.anser.protocol.body.ConsumerData;
import io.anser.protocol.body.HeartbeatData;
import io.anser.protocol.body.LockBatch;
import io.anser.protocol.body.MessageModel;
import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.body.SubscriptionData;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.message.OffsetMessageId;
import io.anser.protocol.operation.ConsumerSendMessageBack;
import io.anser.protocol.operation.CreateTopic;
import io.anser.protocol.operation.DeleteSubscriptionGroup;
import io.anser.protocol.operation.DeleteTopicInBroker;
import io.anser.protocol.operation.GetSubscriptionGroupConfig;
import io.anser.protocol.operation.Heartbeat;
import io.anser.protocol.operation.LockBatchQueues;
import io.anser.protocol.operation.PullMessage;
import io.anser.protocol.operation.QueryConsumerOffset;
import io.anser.protocol.operation.SendMessage;
import io.anser.protocol.operation.UpdateConsumerOffset;
import io.anser.system.VirtualTime;
import io.anser.transport.Reply;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Topics and groups are deleted while producers send, consumers poll, commit and lock, and delayed messages and retries
 * wait, in any order; with restarts and kills between. Whatever happened: every request is answered, and what is made anew
 * is clean.
 */
class DeletionRaceTest {
    private static final String TOPIC = "T";
    private static final String GROUP = "g";
    private static final String RETRY = "%RETRY%g";
    private static final int ROUNDS = 4;
    private static final int STEPS = 60;

    @TempDir
    Path directory;

    private final List<CompletableFuture<Reply>> requests = new ArrayList<>();
    private final List<CompletableFuture<Reply>> polls = new ArrayList<>();
    private int lives;
    private int sent;
    private long wallMillis = 1_000_000;
    private RunningBroker broker;

    @AfterEach
    void close() {
        broker.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whatIsMadeAnewIsCleanWhateverHappenedBefore(long seed) throws Exception {
        Random random = new Random(seed);
        open();
        for (int round = 0; round < ROUNDS; round++) {
            for (int step = 0; step < STEPS; step++) {
                act(random);
            }
            settle();
            if (random.nextBoolean()) {
                restart(random);
            }
            assertDeletedForGood(TOPIC);
            assertDeletedForGood(RETRY);
            assertGroupDeletedForGood();
            restart(random);
            assertClean(TOPIC);
        }
    }

    private void act(Random random) throws Exception {
        switch (random.nextInt(13)) {
            case 0, 1, 2 -> send("");
            case 3 -> send("TIMER_DELAY_MS\u0001" + (1 + random.nextInt(3_000)) + "\u0002");
            case 4 -> polls.add(call(PullMessage.CODE, pull(TOPIC, random.nextInt(3), PullMessage.FLAG_SUSPEND)));
            case 5 ->
                ask(UpdateConsumerOffset.CODE, new UpdateConsumerOffset.Request(GROUP, TOPIC, 0, random.nextInt(3)));
            case 6 -> requests.add(lock());
            case 7 -> sendBack(random);
            case 8 -> ask(DeleteTopicInBroker.CODE, new DeleteTopicInBroker.Request(TOPIC));
            case 9 -> ask(CreateTopic.CODE, creation(TOPIC));
            case 10 ->
                ask(
                        random.nextBoolean() ? DeleteTopicInBroker.CODE : DeleteSubscriptionGroup.CODE,
                        random.nextBoolean()
                                ? new DeleteTopicInBroker.Request(RETRY)
                                : new DeleteSubscriptionGroup.Request(GROUP, random.nextBoolean()));
            case 11 -> requests.add(heartbeat(random));
            default -> broker.time.advance(Duration.ofMillis(random.nextInt(500)));
        }
    }

    private void send(String properties) {
        String body = "message " + sent++;
        requests.add(broker.sendLater(request(TOPIC, properties), Unpooled.copiedBuffer(body, StandardCharsets.UTF_8)));
    }

    /** A message comes back from a consumer, which makes the group's retry topic and a message that waits for it. */
    private void sendBack(Random random) throws Exception {
        Reply stored = RunningBroker.get(
                broker.sendLater(request(TOPIC, ""), Unpooled.copiedBuffer("back " + sent++, StandardCharsets.UTF_8)));
        if (stored.code() == 0) {
            long position = OffsetMessageId.decode(
                            SendMessage.Response.decode(stored.header()).msgId())
                    .physicalOffset();
            ask(
                    ConsumerSendMessageBack.CODE,
                    new ConsumerSendMessageBack.Request(position, GROUP, random.nextInt(2), "", TOPIC, false, 16));
        }
    }

    private CompletableFuture<Reply> lock() {
        MessageQueue queue = new MessageQueue(TOPIC, BrokerSettings.defaults().name(), 0);
        return broker.call(
                LockBatchQueues.CODE,
                FieldSource.NONE,
                Unpooled.wrappedBuffer(new LockBatch.Request(GROUP, "old", false, Set.of(queue)).write()));
    }

    /** A member comes, for whom it is settled where the group starts in the topic. */
    private CompletableFuture<Reply> heartbeat(Random random) {
        ConsumeFromWhere where = random.nextBoolean()
                ? ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET
                : ConsumeFromWhere.CONSUME_FROM_TIMESTAMP;
        ConsumerData member = new ConsumerData(
                GROUP,
                ConsumeType.CONSUME_PASSIVELY,
                MessageModel.CLUSTERING,
                where,
                List.of(SubscriptionData.ofTags(TOPIC, "*", 1)),
                false);
        return broker.call(
                Heartbeat.CODE,
                FieldSource.NONE,
                Unpooled.wrappedBuffer(new HeartbeatData("member", List.of(), List.of(member)).write()));
    }

    private void ask(int code, FieldSource request) {
        requests.add(call(code, request));
    }

    private CompletableFuture<Reply> call(int code, FieldSource request) {
        return broker.call(code, request, Unpooled.EMPTY_BUFFER);
    }

    /** Every request is answered; polls may wait for a message as long as their topic is there. */
    private void settle() throws Exception {
        for (CompletableFuture<Reply> request : requests) {
            assertThat(RunningBroker.get(request).code()).as("an answer").isBetween(0, 200);
        }
        requests.clear();
    }

    private void assertDeletedForGood(String topic) throws Exception {
        assertThat(broker.ask(DeleteTopicInBroker.CODE, new DeleteTopicInBroker.Request(topic))
                        .code())
                .isZero();
        if (topic.equals(TOPIC)) {
            for (CompletableFuture<Reply> poll : polls) {
                RunningBroker.get(poll);
            }
            polls.clear();
            assertThat(broker.broker.consumption().parkedPulls().parked()).isZero();
        }
        assertThat(broker.maxOffset(topic, 0)).as("%s does not exist", topic).isEqualTo(-1);
        assertThat(broker.ask(CreateTopic.CODE, creation(topic)).code()).isZero();
        assertClean(topic);
        // Whatever waits for the topic that was deleted falls due now.
        pass(Duration.ofSeconds(20));
        broker.stored(request(TOPIC + "Other", "TIMER_DELAY_MS\u00011\u0002"), "the last to be delivered");
        pass(Duration.ofSeconds(20));
        await().until(() -> broker.maxOffset(TOPIC + "Other", 0) > 0);
        assertClean(topic);
    }

    private void assertClean(String topic) throws Exception {
        assertThat(broker.maxOffset(topic, 0)).as("end of %s", topic).isZero();
        assertThat(broker.ask(QueryConsumerOffset.CODE, new QueryConsumerOffset.Request(GROUP, topic, 0, false))
                        .code())
                .as("no offset of the group in %s", topic)
                .isEqualTo(22);
        Reply reply = broker.ask(PullMessage.CODE, pull(topic, 0, 0));
        assertThat(reply.code()).as("nothing to read").isEqualTo(19);
        assertThat(WireMessages.bodies(reply.body())).isEmpty();
    }

    private void assertGroupDeletedForGood() throws Exception {
        assertThat(broker.ask(DeleteSubscriptionGroup.CODE, new DeleteSubscriptionGroup.Request(GROUP, true))
                        .code())
                .isZero();
        assertThat(broker.ask(GetSubscriptionGroupConfig.CODE, new GetSubscriptionGroupConfig.Request(GROUP))
                        .code())
                .isEqualTo(26);
    }

    private void pass(Duration time) {
        broker.time.advance(time);
        await().ignoreExceptions().until(() -> broker.maxOffset("TBW102", 0) == 0);
    }

    /** Closes the broker and opens it again, or opens what a kill would have left. */
    private void restart(Random random) throws Exception {
        Path left = directory.resolve("life-" + lives);
        Path next = directory.resolve("life-" + (lives + 1));
        boolean killed = random.nextBoolean();
        if (killed) {
            copy(left, next);
        }
        wallMillis = broker.time.wallMillis();
        broker.close();
        polls.clear();
        if (!killed) {
            copy(left, next);
        }
        lives++;
        open();
    }

    private void open() throws Exception {
        broker = new RunningBroker(
                directory.resolve("life-" + lives), BrokerSettings.defaults(), new VirtualTime(wallMillis));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            files.filter(file -> !file.endsWith("LOCK"))
                    .forEach(file -> copyFile(file, to.resolve(from.relativize(file))));
        }
    }

    private static void copyFile(Path from, Path to) {
        try {
            if (Files.isDirectory(from)) {
                Files.createDirectories(to);
            } else {
                Files.copy(from, to);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static CreateTopic.Request creation(String topic) {
        return new CreateTopic.Request(topic, "TBW102", 1, 1, 6, "SINGLE_TAG", 0, false, "", false);
    }

    private static PullMessage.Request pull(String topic, long offset, int flags) {
        return new PullMessage.Request(
                GROUP, topic, 0, offset, 32, flags | PullMessage.FLAG_SUBSCRIPTION, 0, 3_600_000, "*", 0, "TAG", 0);
    }
}
