package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.broker.ModelGroup.Fate;
import io.anser.broker.PoppingClient.Popped;
import io.anser.broker.RunningBroker.BrokerClient;
import io.anser.broker.role.Group;
import io.anser.protocol.body.HeartbeatData;
import io.anser.protocol.body.LockBatch;
import io.anser.protocol.body.MessageModel;
import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.body.ProducerData;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.CheckTransactionState;
import io.anser.protocol.operation.EndTransaction;
import io.anser.protocol.operation.Heartbeat;
import io.anser.protocol.operation.LockBatchQueues;
import io.anser.protocol.operation.PullMessage;
import io.anser.protocol.operation.QueryConsumerOffset;
import io.anser.protocol.operation.SendMessage;
import io.anser.protocol.operation.UpdateConsumerOffset;
import io.anser.system.VirtualTime;
import io.anser.transport.Reply;
import io.netty.buffer.Unpooled;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What brokers of a group do when the lead changes between them; the engine is a model. */
class LeadChangeTest {
    private static final byte[] NOTHING = {};
    private static final String MARK = "TRAN_MSG\u0001true\u0002PGROUP\u0001p\u0002";

    @TempDir
    Path directory;

    private final VirtualTime time = new VirtualTime(1_000_000);
    private ModelGroup group;

    @BeforeEach
    void open() throws Exception {
        group = new ModelGroup(directory, 2, time);
        lead(0);
        group.member(0).stored(request("T", ""), "first"); // makes the topic
    }

    @AfterEach
    void close() {
        group.close();
    }

    private void lead(int number) {
        group.lead(number);
        await().until(() -> group.member(number).broker.isMaster());
    }

    @Test
    void aPullThatWaitsIsAskedToComeAgainAtItsOffsetWhenTheLeadGoes() throws Exception {
        Member consumer =
                new Member(group.member(0).anotherClient(), "c", "g").joins("T", "*", MessageModel.CLUSTERING);
        CompletableFuture<Reply> waiting = consumer.startPull("T", 0, 1);
        await().until(() -> group.member(0).broker.consumption().parkedPulls().parked() == 1);

        lead(1);

        Reply reply = RunningBroker.get(waiting);
        assertThat(reply.code()).isEqualTo(20);
        PullMessage.Response fields = PullMessage.Response.decode(reply.header());
        assertThat(fields.nextBeginOffset()).isEqualTo(1);
        assertThat(group.member(0).broker.consumption().parkedPulls().parked()).isZero();
    }

    @Test
    void aPullThatWaitsAtAFollowerIsAskedToComeAgainWhenThatLeads() throws Exception {
        Member consumer = new Member(group.member(1).anotherClient(), "c", "g");
        CompletableFuture<Reply> waiting = consumer.startPull("T", 0, 1);
        await().until(() -> group.member(1).broker.consumption().parkedPulls().parked() == 1);

        lead(1);

        assertThat(RunningBroker.get(waiting).code()).isEqualTo(20);
    }

    @Test
    void aPopThatWaitsHearsThatNothingCameWhenTheLeadGoes() throws Exception {
        PoppingClient popping = popping(0);
        assertThat(popping.pop(8, 60_000)).hasSize(1);
        CompletableFuture<Reply> waiting = popping.start(popping.request(-1, 8, 60_000, 15_000));
        await().until(() -> group.member(0).broker.consumption().parkedPops() == 1);

        lead(1);

        Reply reply = RunningBroker.get(waiting);
        assertThat(reply.code()).isEqualTo(210);
        assertThat(PoppingClient.messages(reply)).isEmpty();
        await().until(() -> group.member(0).broker.consumption().parkedPops() == 0);
    }

    @Test
    void anOffsetThatWaitedToBeMergedIsNotStoredBehindWhatAnotherLeaderHasStored() throws Exception {
        send(0, 10);
        tellOffset(0, 3);
        await().until(() -> offset(0) == 3); // accepted, and waits for others to be merged with

        lead(1);
        assertThat(commit(1, 7)).isZero();
        lead(0);

        assertThat(offset(0)).isEqualTo(7);
        time.advance(Duration.ofSeconds(1));
        group.member(0).stored(request("T", ""), "behind whatever was proposed");
        assertThat(offset(0)).isEqualTo(7);
        assertThat(offset(1)).isEqualTo(7);
    }

    @Test
    void whoWaitsForAnOffsetIsNeverToldThatItIsStoredWhenItIsNot() throws Exception {
        send(0, 10);
        commit(0, 1);
        group.proposalsAre(Fate.CUT);
        CompletableFuture<Reply> onItsWay = startCommit(0, 3);
        await().until(() -> group.undecided() > 0);
        CompletableFuture<Reply> behindIt = startCommit(0, 4);
        await().until(() -> offset(0) == 4);

        lead(1);

        assertThat(RunningBroker.get(onItsWay).code()).isEqualTo(14);
        assertThat(RunningBroker.get(behindIt).code()).isEqualTo(14);
        assertThat(offset(0)).isEqualTo(1);
        assertThat(offset(1)).isEqualTo(1);
    }

    @Test
    void anOrderLockThatMovedMeanwhileIsNotGrantedFromMemory() throws Exception {
        assertThat(lock(0, "one")).isTrue();
        lead(1);
        assertThat(lock(1, "two")).isFalse();
        time.advance(Duration.ofSeconds(61));
        assertThat(lock(1, "two")).isTrue();

        lead(0);

        assertThat(lock(0, "one")).isFalse();
        time.advance(Duration.ofSeconds(59));
        assertThat(lock(0, "one")).isFalse(); // a full life from the new lead on
        assertThat(lock(0, "two")).isTrue();
    }

    @Test
    void aDelayedMessageIsDeliveredOnceByWhoeverLeads() throws Exception {
        group.member(0).stored(request("T", "DELAY\u00011\u0002"), "late");
        group.member(0).stored(request("T", "DELAY\u00012\u0002"), "later");
        lead(1);

        time.advance(Duration.ofSeconds(1));
        await().until(() -> max(1) == 2);
        lead(0);
        time.advance(Duration.ofSeconds(4));
        await().until(() -> max(0) == 3);
        lead(1);
        time.advance(Duration.ofSeconds(60));

        assertThat(group.member(1).stored(request("T", ""), "next").queueOffset())
                .isEqualTo(3);
    }

    @Test
    void aTimerWhoseEndIsStoredByTheNextLeaderFiresOnce() throws Exception {
        group.member(0).stored(request("T", "DELAY\u00011\u0002"), "late");
        group.proposalsAre(Fate.UNCOMMITTED);
        time.advance(Duration.ofSeconds(1));
        await().until(() -> group.undecided() > 0);

        lead(1);
        time.advance(Duration.ofSeconds(5));
        lead(0);
        time.advance(Duration.ofSeconds(5));

        assertThat(group.member(0).stored(request("T", ""), "next").queueOffset())
                .isEqualTo(2);
    }

    @Test
    void aTimerWhoseEndIsCutOffFiresUnderTheNextLeader() throws Exception {
        group.member(0).stored(request("T", "DELAY\u00011\u0002"), "late");
        group.proposalsAre(Fate.CUT);
        time.advance(Duration.ofSeconds(1));
        await().until(() -> group.undecided() > 0);

        lead(1);

        await().until(() -> max(1) == 2);
        time.advance(Duration.ofSeconds(5));
        lead(0);
        time.advance(Duration.ofSeconds(5));
        assertThat(group.member(0).stored(request("T", ""), "next").queueOffset())
                .isEqualTo(2);
    }

    @Test
    void aHalfMessageIsAskedAboutByTheNewLeaderOnly() throws Exception {
        BrokerClient atFirst = producer(0);
        BrokerClient atSecond = producer(1);
        group.member(0).stored(request("T", MARK), "half");
        lead(1);

        await().until(() -> {
            time.advance(Duration.ofSeconds(1));
            return atSecond.requests().contains(CheckTransactionState.CODE);
        });

        assertThat(atFirst.requests()).doesNotContain(CheckTransactionState.CODE);
        assertThat(group.member(1).broker.transactions().open(-1, 10)).hasSize(1);
    }

    @Test
    void aTransactionOfTheOldLeaderIsDecidedByTheNew() throws Exception {
        SendMessage.Response half = group.member(0).stored(request("T", MARK), "half");
        lead(1);
        long position =
                group.member(1).broker.transactions().open(-1, 10).get(0).id();

        EndTransaction.Request commit = new EndTransaction.Request(
                "T", "p", half.queueOffset(), position, EndTransaction.COMMIT, false, "", half.transactionId());
        assertThat(group.member(1).ask(EndTransaction.CODE, commit).code()).isZero();

        assertThat(max(1)).isEqualTo(2);
        await().until(() -> max(0) == 2);
    }

    @Test
    void whatWasAckedUnderAnotherLeaderIsNotPoppedAgain() throws Exception {
        List<Popped> first = popping(0).pop(8, 60_000);
        assertThat(first).hasSize(1);
        lead(1);
        assertThat(popping(1).ack(first.get(0))).isZero();
        group.member(1).stored(request("T", ""), "second");
        List<Popped> second = popping(1).pop(8, 60_000);
        assertThat(second).extracting(Popped::body).containsExactly("second");

        lead(0);

        assertThat(popping(0).pop(8, 60_000)).isEmpty();
        group.member(0).stored(request("T", ""), "third");
        assertThat(popping(0).pop(8, 60_000)).extracting(Popped::body).containsExactly("third");
    }

    @Test
    void aPopThatWasCutOffIsPoppedAgainAndOneThatWasStoredIsNot() throws Exception {
        popping(0).pop(8, 60_000);
        group.member(0).stored(request("T", ""), "cut");
        group.proposalsAre(Fate.CUT);
        CompletableFuture<Reply> cut = popping(0).start(popping(0).request(-1, 8, 60_000, 0));
        await().until(() -> group.undecided() > 0);
        lead(1);
        assertThat(RunningBroker.get(cut).code()).isEqualTo(14);
        group.proposalsAre(Fate.UNCOMMITTED);
        CompletableFuture<Reply> stored = popping(1).start(popping(1).request(-1, 8, 60_000, 0));
        await().until(() -> group.undecided() > 0);
        lead(0);
        assertThat(RunningBroker.get(stored).code()).isEqualTo(14);

        assertThat(popping(0).pop(8, 60_000)).isEmpty();
    }

    @Test
    void aMessageThatWasSentBeforeIsKnownByItsKeyToTheNewLeader() throws Exception {
        String key = "IDEMPOTENCY_KEY\u0001k\u0002";
        SendMessage.Response first = group.member(0).stored(request("T", key), "m");
        group.proposalsAre(Fate.UNCOMMITTED);
        String other = "IDEMPOTENCY_KEY\u0001other\u0002";
        CompletableFuture<Reply> undecided =
                group.member(0).sendLater(request("T", other), Unpooled.copiedBuffer("m", UTF_8));
        await().until(() -> group.undecided() > 0);

        lead(1);

        assertThat(RunningBroker.get(undecided).code()).isEqualTo(14);
        assertThat(group.member(1).stored(request("T", key), "m").queueOffset()).isEqualTo(first.queueOffset());
        assertThat(group.member(1).stored(request("T", other), "m").queueOffset())
                .isEqualTo(first.queueOffset() + 1);
        assertThat(max(1)).isEqualTo(3);
    }

    @Test
    void whatIsNotCommittedIsReadNowhere() throws Exception {
        group.proposalsAre(Fate.UNCOMMITTED);
        CompletableFuture<Reply> sent =
                group.member(0).sendLater(request("T", ""), Unpooled.copiedBuffer("second", UTF_8));
        await().until(() -> group.undecided() > 0);

        for (int number = 0; number < 2; number++) {
            Member reader = new Member(group.member(number).anotherClient(), "c" + number, "g");
            assertThat(reader.pull("T", 0, 1).code()).isEqualTo(19);
            assertThat(max(number)).isEqualTo(1);
        }

        lead(1);
        assertThat(RunningBroker.get(sent).code()).isEqualTo(14);
        for (int number = 0; number < 2; number++) {
            Member reader = new Member(group.member(number).anotherClient(), "d" + number, "g");
            assertThat(reader.pull("T", 0, 1).code()).isZero();
        }
    }

    @Test
    void aLeaderThatLostTheOthersTakesNothingAndIsNoMasterAnyMore() throws Exception {
        group.leaderGoes();

        Reply refused = group.member(0).send(request("T", ""), "nobody takes it");

        assertThat(refused.code()).isEqualTo(14);
        assertThat(refused.remark().orElse("")).contains("another member leads");
        assertThat(group.member(0).broker.isMaster()).isFalse();
        assertThat(group.member(0).figures())
                .containsEntry("replicationRole", "follower")
                .containsEntry("replicationRoleChanges", "2");
        assertThat(new Member(group.member(0).anotherClient(), "c", "g")
                        .pull("T", 0, 0)
                        .code())
                .isZero();
    }

    @Test
    void aFollowerSendsReadersToTheLeaderUnlessThereIsNoneOrTheyReadOldMessages() throws Exception {
        Member reader = new Member(group.member(1).anotherClient(), "c", "g");

        group.member(1).broker.leaderKnown(true);
        assertThat(suggested(reader.pull("T", 0, 0))).isZero();
        group.member(1).broker.leaderKnown(false);
        assertThat(suggested(reader.pull("T", 0, 0))).isEqualTo(2);
        assertThat(suggested(reader.pull("T", 0, 1))).isEqualTo(2);
        lead(1);
        assertThat(suggested(reader.pull("T", 0, 0))).isZero();
    }

    @Test
    void aReaderFarBehindIsSentToAFollowerAndStaysThere() throws Exception {
        FakeGroup others = new FakeGroup(List.of(1));
        group.member(0).broker.group(others);
        group.member(1).broker.leaderKnown(true);
        for (int i = 0; i < 20; i++) { // more than ModelGroup's brokers take for far behind
            group.member(0).stored(request("T", ""), "x".repeat(100_000));
        }

        assertThat(suggested(reader(0).pull("T", 0, 0))).isEqualTo(2);
        assertThat(suggested(reader(1).pull("T", 0, 0))).isEqualTo(2);
        assertThat(suggested(reader(0).pull("T", 0, 20))).isZero();
        assertThat(suggested(reader(1).pull("T", 0, 20))).isZero();
        others.followers = List.of();
        assertThat(suggested(reader(0).pull("T", 0, 0))).isZero();
    }

    @Test
    void aFollowerThatLagsSendsNobodyBack() throws Exception {
        Reply atFollower = reader(1).pull("T", 0, 5); // an offset that a leader has given out
        assertThat(atFollower.code()).isEqualTo(19);
        assertThat(PullMessage.Response.decode(atFollower.header()).nextBeginOffset())
                .isEqualTo(5);

        assertThat(reader(0).pull("T", 0, 5).code()).isEqualTo(21);
    }

    @Test
    void anOffsetThatComesWithAPullIsTakenToTheLeader() throws Exception {
        FakeGroup others = new FakeGroup(List.of());
        group.member(1).broker.group(others);
        send(0, 3);

        PullMessage.Request pull = new PullMessage.Request("g", "T", 0, 2, 32, 1 | 4, 2, 15_000, "*", 0, "TAG", -1);
        assertThat(group.member(1)
                        .anotherClient()
                        .ask(PullMessage.CODE, pull, NOTHING)
                        .code())
                .isZero();

        assertThat(others.told).containsExactly(new UpdateConsumerOffset.Request("g", "T", 0, 2));
        time.advance(Duration.ofSeconds(1));
        assertThat(offset(1)).isEqualTo(-1);
    }

    @Test
    void aHeartbeatAtAFollowerIsTakenAndStoresNothing() throws Exception {
        new Member(group.member(1).anotherClient(), "c", "new").joins("T", "*", MessageModel.BROADCASTING);
        Member consumer = new Member(group.member(1).anotherClient(), "c", "newer");

        consumer.joins("T", "*", MessageModel.CLUSTERING);

        assertThat(group.member(1).maxOffset("%RETRY%newer", 0)).isEqualTo(-1);
    }

    private Member reader(int number) {
        return new Member(group.member(number).anotherClient(), "r" + number, "g");
    }

    private static long suggested(Reply reply) {
        return PullMessage.Response.decode(reply.header()).suggestWhichBrokerId();
    }

    private static final class FakeGroup implements Group {
        private final Queue<FieldSource> told = new ConcurrentLinkedQueue<>();
        private volatile List<Integer> followers;

        FakeGroup(List<Integer> followers) {
            this.followers = followers;
        }

        @Override
        public List<Integer> followers() {
            return followers;
        }

        @Override
        public void tellLeader(int code, FieldSource request) {
            told.add(request);
        }
    }

    private long max(int number) throws Exception {
        return group.member(number).maxOffset("T", 0);
    }

    private void send(int number, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            group.member(number).stored(request("T", ""), "m" + i);
        }
    }

    private PoppingClient popping(int number) {
        return new PoppingClient(group.member(number).anotherClient(), "popping", "T");
    }

    private BrokerClient producer(int number) throws Exception {
        BrokerClient client = group.member(number).anotherClient();
        HeartbeatData data = new HeartbeatData("p" + number, List.of(new ProducerData("p")), List.of());
        assertThat(client.ask(Heartbeat.CODE, FieldSource.NONE, data.write()).code())
                .isZero();
        return client;
    }

    private boolean lock(int number, String clientId) throws Exception {
        MessageQueue queue = new MessageQueue("T", "broker-a", 0);
        Reply reply = group.member(number)
                .anotherClient()
                .ask(
                        LockBatchQueues.CODE,
                        FieldSource.NONE,
                        new LockBatch.Request("g", clientId, false, Set.of(queue)).write());
        return LockBatch.Response.read(reply.body()).lockOKMQSet().contains(queue);
    }

    private void tellOffset(int number, long offset) throws Exception {
        group.member(number)
                .tellOneWay(UpdateConsumerOffset.CODE, new UpdateConsumerOffset.Request("g", "T", 0, offset));
    }

    private CompletableFuture<Reply> startCommit(int number, long offset) {
        return group.member(number)
                .anotherClient()
                .call(UpdateConsumerOffset.CODE, new UpdateConsumerOffset.Request("g", "T", 0, offset), NOTHING);
    }

    private int commit(int number, long offset) throws Exception {
        return RunningBroker.get(startCommit(number, offset)).code();
    }

    private long offset(int number) throws Exception {
        Reply reply =
                group.member(number).ask(QueryConsumerOffset.CODE, new QueryConsumerOffset.Request("g", "T", 0, false));
        return reply.code() == 0
                ? QueryConsumerOffset.Response.decode(reply.header()).offset()
                : -1;
    }
}
