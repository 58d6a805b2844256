package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.broker.PoppingClient.Popped;
import io.anser.broker.RunningBroker.BrokerClient;
import io.anser.broker.testing.ApacheStoreDirectory;
import io.anser.broker.testing.WireMessages;
import io.anser.protocol.body.HeartbeatData;
import io.anser.protocol.body.ProducerData;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.RecallHandle;
import io.anser.protocol.operation.CheckTransactionState;
import io.anser.protocol.operation.EndTransaction;
import io.anser.protocol.operation.GetBrokerRuntimeInfo;
import io.anser.protocol.operation.Heartbeat;
import io.anser.protocol.operation.PopHandle;
import io.anser.protocol.operation.PullMessage;
import io.anser.protocol.operation.RecallMessage;
import io.anser.system.VirtualTime;
import io.anser.transport.Reply;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an Apache broker had accepted and not finished goes on here, as if it had been accepted here. */
class AdoptedWorkTest {
    private static final String HALF = "RMQ_SYS_TRANS_HALF_TOPIC";
    private static final String WHEEL = "rmq_sys_wheel_timer";
    private static final long START = 1_000_000;

    @TempDir
    Path directory;

    @TempDir
    Path images;

    private ApacheStoreDirectory apache;
    private RunningBroker broker;

    @BeforeEach
    void make() {
        apache = new ApacheStoreDirectory(directory);
        apache.topics("T");
        apache.message("T", "old").born(9).stored(START - 2).put();
    }

    @AfterEach
    void close() {
        broker.close();
    }

    private void open(long now) throws Exception {
        broker = new RunningBroker(directory, BrokerSettings.defaults(), new VirtualTime(now));
    }

    private void restart() throws Exception {
        long now = broker.time.wallMillis();
        broker.close();
        open(now);
    }

    private void pass(Duration time) {
        broker.time.advance(time);
        // Idle connections were closed on the way: the first call may still meet the old one.
        await().ignoreExceptions()
                .until(() ->
                        broker.ask(GetBrokerRuntimeInfo.CODE, FieldSource.NONE).code() == 0);
    }

    /** All messages of the queue; a pull ends where another log begins. */
    private List<String> bodies() throws Exception {
        List<String> bodies = new ArrayList<>();
        while (bodies.size() < broker.maxOffset("T", 0)) {
            bodies.addAll(WireMessages.bodies(pull(bodies.size())));
        }
        return bodies;
    }

    private byte[] pull(long offset) throws Exception {
        Reply reply = broker.ask(
                PullMessage.CODE,
                new PullMessage.Request("reader", "T", 0, offset, 32, 4, 0, 0, "*", 0, "TAG", 1 << 20));
        assertThat(reply.code()).isZero();
        return reply.body();
    }

    private ApacheStoreDirectory.Message half(String id) {
        return apache.message(HALF, id)
                .stored(START - 1)
                .with("UNIQ_KEY", id)
                .with("TRAN_MSG", "true")
                .with("PGROUP", "p")
                .waitsFor("T");
    }

    @Test
    void delaysAndTimersAreDeliveredOnceWhenTheyAreDue() throws Exception {
        apache.message("SCHEDULE_TOPIC_XXXX", "past")
                .stored(START - 500_000)
                .with("DELAY", "1")
                .waitsFor("T")
                .put();
        apache.message("SCHEDULE_TOPIC_XXXX", "level")
                .queue(4)
                .stored(START - 1)
                .with("DELAY", "5")
                .with("KEYS", "k")
                .waitsFor("T")
                .put();
        apache.message(WHEEL, "timer")
                .stored(START - 1)
                .with("TIMER_DELIVER_MS", Long.toString(START + 90_000))
                .with("TIMER_OUT_MS", Long.toString(START + 89_000))
                .waitsFor("T")
                .put();

        open(START);
        await().until(() -> broker.maxOffset("T", 0) == 2);
        restart();
        pass(Duration.ofMillis(59_998));
        assertThat(broker.maxOffset("T", 0)).isEqualTo(2);
        pass(Duration.ofMillis(1));
        await().until(() -> broker.maxOffset("T", 0) == 3);
        pass(Duration.ofSeconds(30));
        assertThat(broker.maxOffset("T", 0)).isEqualTo(3);
        restart();
        pass(Duration.ofMillis(1));
        await().until(() -> broker.maxOffset("T", 0) == 4);
        restart();
        pass(Duration.ofHours(1));

        assertThat(bodies()).containsExactly("old", "past", "level", "timer");
        MessageView view = new MessageView().wrap(ByteBuffer.wrap(pull(2)), 0);
        assertThat(view.property("KEYS")).contains("k");
        assertThat(view.property("REAL_TOPIC")).isEmpty();
        assertThat(view.property("DELAY")).isEmpty();
    }

    @Test
    void aTimerIsTakenBackByTheHandleThatApacheGave() throws Exception {
        apache.message(WHEEL, "timer")
                .stored(START - 1)
                .with("UNIQ_KEY", "u")
                .with("TIMER_OUT_MS", Long.toString(START + 89_000))
                .waitsFor("T")
                .put();
        open(START);
        // Apache's handles name the turn of its wheel and no position.
        String text = "v1 T broker-a " + (START + 89_001) + " u";
        String handle = Base64.getUrlEncoder().encodeToString(text.getBytes(UTF_8));
        assertThat(RecallHandle.decode(handle).uniqueId()).isEqualTo("u");

        assertThat(broker.ask(RecallMessage.CODE, new RecallMessage.Request("p", "T", handle))
                        .code())
                .isZero();

        pass(Duration.ofHours(1));
        assertThat(bodies()).containsExactly("old");
    }

    @Test
    void anOpenTransactionIsDecidedByThePlaceThatApacheGave() throws Exception {
        half("looked at").put();
        long committed = half("committed").put();
        long rolledBack = half("rolled back").put();
        apache.consumerOffsets("\"" + HALF + "@CID_RMQ_SYS_TRANS\":{0:1}");
        open(START);

        assertThat(end(1, committed, EndTransaction.COMMIT)).isZero();
        assertThat(end(2, rolledBack, EndTransaction.ROLLBACK)).isZero();
        restart();
        assertThat(end(1, committed, EndTransaction.COMMIT)).isZero();

        assertThat(bodies()).containsExactly("old", "committed");
        assertThat(broker.broker.transactions().open(-1, 10)).isEmpty();
    }

    private int end(long queueOffset, long position, int decision) throws Exception {
        return broker.ask(
                        EndTransaction.CODE,
                        new EndTransaction.Request("T", "p", queueOffset, position, decision, false, "", ""))
                .code();
    }

    @Test
    void theProducerOfAnOpenTransactionIsAsked() throws Exception {
        long position = half("a").put();
        open(START);
        BrokerClient producer = broker.anotherClient();
        HeartbeatData data = new HeartbeatData("one", List.of(new ProducerData("p")), List.of());
        producer.ask(Heartbeat.CODE, FieldSource.NONE, data.write());

        broker.time.advance(Duration.ofSeconds(7));

        await().until(() -> producer.requests().contains(CheckTransactionState.CODE));
        CheckTransactionState.Request question = CheckTransactionState.Request.decode(
                producer.received().element().header());
        assertThat(question.commitLogOffset()).isEqualTo(position);
        assertThat(question.transactionId()).isEqualTo("a");
    }

    @Test
    void whatWasPoppedAndNotAcknowledgedIsThereAgainWhenItsTimeIsOver() throws Exception {
        apache.message("T", "acknowledged").stored(START - 2).put();
        apache.message("T", "acknowledged here").stored(START - 2).put();
        apache.message("T", "lost by its member").stored(START - 2).put();
        pop("ck", "\"so\":1,\"pt\":" + START + ",\"it\":60000,\"n\":3,\"d\":[0,1,2]");
        pop("ack", "\"so\":1,\"pt\":" + START + ",\"ao\":1");
        apache.consumerOffsets("\"T@g\":{0:4}");
        open(START);
        PoppingClient client = new PoppingClient(broker.anotherClient(), "g", "T");

        assertThat(client.pop(10, 30_000)).isEmpty();
        assertThat(client.ack(new PopHandle(1, START, 60_000, 0, 0, "broker-a", 0, 2)))
                .isZero();
        restart();
        PoppingClient later = new PoppingClient(broker.anotherClient(), "g", "T");
        pass(Duration.ofSeconds(61));

        List<Popped> popped = await().until(() -> later.pop(10, 30_000), found -> !found.isEmpty());
        assertThat(PoppingClient.bodies(popped)).containsExactly("lost by its member");
        assertThat(popped.get(0).reconsumeTimes()).isEqualTo(1);
        assertThat(later.ack(popped.get(0))).isZero();
    }

    private void pop(String tag, String json) {
        apache.message(WHEEL, "{\"c\":\"g\",\"t\":\"T\",\"q\":0," + json + "}")
                .stored(START - 1)
                .with("TAGS", tag)
                .with("TIMER_OUT_MS", Long.toString(START + 60_000))
                .waitsFor("rmq_sys_REVIVE_LOG_DefaultCluster")
                .put();
    }

    /** A store that had no snapshot any more is adopted again, and what was done since is in its own log. */
    @Test
    void anAdoptionThatHasToBeMadeAgainDoesNothingTwice() throws Exception {
        apache.message("SCHEDULE_TOPIC_XXXX", "late")
                .queue(4)
                .stored(START - 1)
                .with("DELAY", "5")
                .waitsFor("T")
                .put();
        long committed = half("committed").put();
        open(START);
        pass(Duration.ofMinutes(1));
        await().until(() -> broker.maxOffset("T", 0) == 2);
        assertThat(end(0, committed, EndTransaction.COMMIT)).isZero();
        long now = broker.time.wallMillis();
        broker.close();
        try (var snapshots = Files.list(directory.resolve("anser/snapshot"))) {
            for (Path snapshot : snapshots.toList()) {
                Files.delete(snapshot);
            }
        }

        open(now);
        pass(Duration.ofHours(1));

        assertThat(broker.stored(request("T", ""), "new").queueOffset()).isEqualTo(3);
        assertThat(bodies()).containsExactly("old", "late", "committed", "new");
    }

    /** What was done is in the log and nowhere else; a kill leaves a first part of it. */
    @Test
    void aKillAfterAnyRecordLosesAndDoublesNothing() throws Exception {
        apache.message("SCHEDULE_TOPIC_XXXX", "late")
                .queue(4)
                .stored(START - 1)
                .with("DELAY", "5")
                .waitsFor("T")
                .put();
        long committed = half("committed").put();
        apache.message("T", "popped").stored(START - 2).put();
        pop("ck", "\"so\":1,\"pt\":" + START + ",\"it\":60000,\"n\":1");
        apache.consumerOffsets("\"T@g\":{0:2}");
        open(START);
        assertThat(end(0, committed, EndTransaction.COMMIT)).isZero();
        pass(Duration.ofSeconds(61));
        await().until(() -> broker.maxOffset("T", 0) == 4);
        assertThat(popAll(3)).containsExactlyInAnyOrder("popped", "committed", "late");
        Path running = copy(directory, images.resolve("running"));
        byte[] log = Files.readAllBytes(logFile(running));

        List<Integer> ends = recordEnds(log);
        assertThat(ends).hasSizeGreaterThan(5);
        for (int until : ends) {
            broker.close();
            Path killed = copy(running, images.resolve("killed-" + until));
            Files.write(logFile(killed), Arrays.copyOf(log, until));
            broker = new RunningBroker(killed, BrokerSettings.defaults(), new VirtualTime(START + 61_000));
            assertThat(end(0, committed, EndTransaction.COMMIT)).isZero();
            await().until(() -> broker.maxOffset("T", 0) == 4);
            pass(Duration.ofSeconds(30)); // until nothing is out any more
            assertThat(popAll(3)).containsExactlyInAnyOrder("popped", "committed", "late");
            pass(Duration.ofHours(1));
            assertThat(bodies()).containsExactlyInAnyOrder("old", "popped", "late", "committed");
        }
    }

    /** Where a log may end: before its first record, and behind each. A record begins with its length. */
    private static List<Integer> recordEnds(byte[] log) {
        List<Integer> ends = new ArrayList<>(List.of(0));
        for (int at = 0; ByteBuffer.wrap(log).getInt(at) > 0; ) {
            at += ByteBuffer.wrap(log).getInt(at);
            ends.add(at);
        }
        return ends;
    }

    private List<String> popAll(int count) throws Exception {
        PoppingClient client = new PoppingClient(broker.anotherClient(), "g", "T");
        List<String> bodies = new ArrayList<>();
        await().until(() -> bodies.addAll(PoppingClient.bodies(client.pop(10, 30_000))) && bodies.size() >= count);
        assertThat(client.pop(10, 30_000)).isEmpty();
        return bodies;
    }

    /** Copies a directory without the indexes, which are made again. */
    private static Path copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                if (!file.startsWith(from.resolve("anser/index"))) {
                    Files.copy(file, to.resolve(from.relativize(file)));
                }
            }
        }
        return to;
    }

    private static Path logFile(Path store) throws IOException {
        try (Stream<Path> files = Files.list(store.resolve("anser/log"))) {
            return files.min(Comparator.naturalOrder()).orElseThrow();
        }
    }
}
