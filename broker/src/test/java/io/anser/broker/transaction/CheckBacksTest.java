package io.anser.broker.transaction;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.SystemTopics;
import io.anser.broker.metadata.TransactionEnd;
import io.anser.broker.transaction.Decisions.Decision;
import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.WireHost;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import io.anser.system.VirtualTime;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks and decisions over half messages that cannot be read, and over a log that answers when the test says so. */
class CheckBacksTest {
    private static final WireHost HOST = WireHost.of(new byte[] {127, 0, 0, 1}, 9876);
    private static final byte[] HALF = "RMQ_SYS_TRANS_HALF_TOPIC".getBytes(UTF_8);
    private static final String GOOD = "REAL_TOPIC\u0001TBW102\u0002REAL_QID\u00010\u0002PGROUP\u0001p\u0002";

    private final VirtualTime time = new VirtualTime(1_000_000);
    private final BrokerState state = new BrokerState(SystemTopics.of("C", "b", 8));
    private final Map<Long, ByteBuffer> stored = new HashMap<>();
    private final Set<Long> failing = new HashSet<>();
    private final Queue<Append> waiting = new ArrayDeque<>();
    private final List<Long> asked = new ArrayList<>();
    private final List<Integer> turns = new ArrayList<>();
    private final List<String> answers = new ArrayList<>();
    private boolean holding;
    private boolean refusing;
    private boolean away;
    private int reads;

    private final HalfLookup halves = new HalfLookup(state.transactions(), this::message);
    private final Decisions decisions = new Decisions(state, halves, topic -> 0, this::append, time);
    private final CheckBacks checks = new CheckBacks(
            state.transactions(),
            halves,
            decisions,
            (group, turn) -> away
                    ? Optional.empty()
                    : Optional.of((question, body) -> {
                        asked.add(question.commitLogOffset());
                        turns.add(turn);
                        body.release();
                    }),
            new Proposals(this::append),
            new CheckTimes(TransactionSettings.defaults()),
            time,
            time,
            Runnable::run);

    private MessageStore store;
    private QueueLog half;

    @BeforeEach
    void start(@TempDir Path directory) {
        StoreSettings settings =
                StoreSettings.defaults().withDirectory(directory).withSegmentBytes(8 << 20);
        // For the handles of queues; what is appended goes to the list.
        store = MessageStore.open(
                settings, new BrokerState(List.of()), (queue, from, until) -> {}, time, (where, cause) -> {
                    throw new AssertionError(where, cause);
                });
        state.attach(store::queue);
        half = store.queue("RMQ_SYS_TRANS_HALF_TOPIC", 0);
        checks.start();
    }

    @AfterEach
    void stop() {
        checks.close();
        store.close();
    }

    /** RocketMQ issues 9500 and 1519: one exception stopped the checks of everybody, for ever. */
    @Test
    void oneBrokenHalfMessageNeverBlocksTheOthers() {
        open(1, "REAL_TOPIC\u0001TBW102\u0002REAL_QID\u0001none\u0002PGROUP\u0001p\u0002");
        open(2, GOOD);
        open(3, GOOD);
        stored.remove(3L);
        open(4, GOOD);
        failing.add(4L);
        open(5, "");
        open(6, GOOD);

        time.advance(Duration.ofSeconds(7));

        assertThat(asked).containsExactly(2L, 6L);
    }

    @Test
    void whatCannotBeReadIsGivenUpInTheEndAndSeen() {
        open(1, "");
        open(2, GOOD);

        time.advance(Duration.ofSeconds(6 + 15 * 31 + 31));

        assertThat(state.transactions().size()).isZero();
        assertThat(state.transactions().lastGivenUp().keySet()).containsExactly(1L, 2L);
        assertThat(asked).hasSize(15).containsOnly(2L);
    }

    @Test
    void aDeviceThatCannotBeReadForAWhileCostsNoChecks() {
        open(4, GOOD);
        failing.add(4L);
        time.advance(Duration.ofHours(1));
        assertThat(state.transactions().find(4).orElseThrow().checks()).isZero();

        failing.clear();
        time.advance(Duration.ofSeconds(31));

        assertThat(asked).containsExactly(4L);
    }

    @Test
    void nothingIsReadWhileAGroupIsAwayAndAllIsAskedWhenItComes() {
        away = true;
        for (int i = 1; i <= 10; i++) {
            open(i, GOOD);
        }
        time.advance(Duration.ofDays(1));
        assertThat(reads).isEqualTo(10);

        away = false;
        time.advance(Duration.ofSeconds(2));

        assertThat(asked).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
    }

    @Test
    void producersOfAGroupTakeTurns() {
        open(1, GOOD);
        open(2, GOOD);
        open(3, GOOD);

        time.advance(Duration.ofSeconds(7));

        assertThat(turns).containsExactly(0, 1, 2);
    }

    @Test
    void aCrowdIsAskedSomeAtATime() {
        int count = CheckBacks.MAX_PER_LOOK + 1;
        for (int i = 1; i <= count; i++) {
            open(i, GOOD);
        }

        time.advance(Duration.ofMillis(6_500));
        assertThat(asked).hasSize(CheckBacks.MAX_PER_LOOK);
        time.advance(Duration.ofSeconds(1));
        assertThat(asked).hasSize(count).doesNotHaveDuplicates();
    }

    @Test
    void aMessageWithoutRoomForAnotherPropertyIsAskedAboutAndGivenUpLikeAnyOther() {
        open(2, GOOD + "LONG\u0001" + "x".repeat(32_767 - GOOD.length() - 6) + "\u0002");

        time.advance(Duration.ofSeconds(6 + 15 * 31 + 31));

        assertThat(asked).hasSize(15);
        assertThat(state.transactions().lastGivenUp()).hasSize(1);
    }

    @Test
    void aLogThatRefusesTheRecordOfACheckDoesNotMakeItAskAllTheTime() {
        open(2, GOOD);
        refusing = true;

        time.advance(Duration.ofSeconds(6 + 30 + 30));

        assertThat(asked).hasSizeBetween(2, 3);
    }

    @Test
    void whoComesWhileADecisionIsOnItsWayHearsWhatBecameOfIt() {
        open(2, GOOD);
        holding = true;
        decide(2, TransactionEnd.COMMITTED, "first");
        decide(2, TransactionEnd.COMMITTED, "same");
        decide(2, TransactionEnd.ROLLED_BACK, "contrary");
        assertThat(answers).isEmpty();
        assertThat(waiting).hasSize(1);

        commit();

        assertThat(answers)
                .containsExactlyInAnyOrder(
                        "first ended",
                        "same ended",
                        "contrary refused 4 the transaction at position=2 was committed before and cannot be rolled back");
        assertThat(state.transactions().end(2)).contains(TransactionEnd.COMMITTED);
    }

    @Test
    void aDecisionOfAnotherGroupDoesNotGetInTheWay() {
        open(2, GOOD);
        holding = true;
        decide(2, TransactionEnd.COMMITTED, "first");
        decide(new Decision(2, 2, "other", TransactionEnd.COMMITTED), "stranger");
        commit();

        assertThat(answers)
                .containsExactly(
                        "stranger refused 1 producerGroup=other does not own the transaction at position=2",
                        "first ended");
    }

    @Test
    void aDecisionThatTheLogDidNotTakeLeavesTheTransactionOpen() {
        open(2, GOOD);
        holding = true;
        decide(2, TransactionEnd.COMMITTED, "first");
        decide(2, TransactionEnd.ROLLED_BACK, "second");
        waiting.remove().failed(new StoreException(StoreException.Kind.FULL, "disk full"));
        assertThat(answers).containsExactlyInAnyOrder("first refused 14 disk full", "second refused 14 disk full");

        decide(2, TransactionEnd.ROLLED_BACK, "third");
        commit();

        assertThat(answers).endsWith("third ended");
    }

    @Test
    void nobodyIsAskedWhileADecisionIsOnItsWay() {
        open(2, GOOD);
        holding = true;
        decide(2, TransactionEnd.COMMITTED, "first");

        time.advance(Duration.ofSeconds(20));

        assertThat(asked).isEmpty();
    }

    @Test
    void whatNobodyCanReadCanStillBeRolledBack() {
        open(3, GOOD);
        stored.remove(3L);

        decide(3, TransactionEnd.COMMITTED, "commit");
        decide(3, TransactionEnd.ROLLED_BACK, "rollback");

        assertThat(answers)
                .containsExactly("commit refused 1 the half message at position=3 cannot be read", "rollback ended");
    }

    @Test
    void aHalfMessageThatMovesDuringTheLookIsFoundWhereItLiesNow() {
        open(2, GOOD);
        ByteBuffer copy = stored.remove(2L);
        stored.put(90L, copy);
        OpenHalf.move(state, half, 2, 90, copy);

        decide(2, TransactionEnd.COMMITTED, "first");

        assertThat(answers).containsExactly("first ended");
    }

    @Test
    void aHalfMessageWhoseNewPlaceCannotBeReadYetIsReadAtTheOneBefore() {
        open(2, GOOD);
        OpenHalf.move(state, half, 2, 90, stored.get(2L));

        decide(2, TransactionEnd.COMMITTED, "first");

        assertThat(answers).containsExactly("first ended");
    }

    private void decide(long id, TransactionEnd end, String name) {
        decide(new Decision(id, id, "p", end), name);
    }

    private void decide(Decision decision, String name) {
        decisions.decide(decision, new Decisions.Asker() {
            @Override
            public void ended() {
                answers.add(name + " ended");
            }

            @Override
            public void refused(Refusal reason) {
                answers.add(name + " refused " + reason.code() + " " + reason.remark());
            }
        });
    }

    private void open(long position, String properties) {
        ByteBuffer message = OpenHalf.encode(properties, 0);
        stored.put(position, message);
        state.applyMessage(half, position, position, message.limit(), 0, time.wallMillis(), message);
    }

    private Optional<ByteBuffer> message(long position) {
        reads++;
        if (failing.contains(position)) {
            throw new StoreException(StoreException.Kind.IO, "the test's disk is broken");
        }
        return Optional.ofNullable(stored.get(position));
    }

    private void append(Append append) {
        if (refusing) {
            throw new StoreException(StoreException.Kind.BUSY, "the test's log is busy");
        }
        waiting.add(append);
        if (!holding) {
            commit();
        }
    }

    private void commit() {
        holding = false;
        for (Append append = waiting.poll(); append != null; append = waiting.poll()) {
            for (int item = 0; item < append.items(); item++) {
                apply(append, item);
            }
            append.committed();
        }
    }

    private void apply(Append append, int item) {
        ByteBuffer bytes = ByteBuffer.allocate(append.bytes(item));
        append.encode(item, bytes);
        bytes.flip();
        if (bytes.getInt(4) == 0x414E5331) {
            bytes.position(8);
            state.applyState(bytes.getShort(), bytes, 0);
        } else {
            assertThat(new MessageView().wrap(bytes, 0).topic()).isIn("TBW102", "TRANS_CHECK_MAX_TIME_TOPIC");
        }
    }

    /** Half messages as they lie in the log. */
    private static final class OpenHalf {
        static ByteBuffer encode(String properties, long first) {
            byte[] block = properties.getBytes(UTF_8);
            ByteBuffer body = ByteBuffer.wrap("half".getBytes(UTF_8));
            ByteBuffer message =
                    ByteBuffer.allocate(MessageEncoder.encodedBytes(HALF.length, 4, block.length, false, false));
            MessageEncoder.encode(message, new MessageHeader(0, 0, 0, 0, HOST, HOST, 0, first), HALF, body, block);
            return message.flip();
        }

        static void move(BrokerState state, QueueLog half, long id, long to, ByteBuffer original) {
            MessageView view = new MessageView().wrap(original, 0);
            ByteBuffer copy = encode(new String(view.properties(), UTF_8), id);
            state.applyMessage(half, 7, to, copy.limit(), 0, 0, copy);
        }
    }
}
