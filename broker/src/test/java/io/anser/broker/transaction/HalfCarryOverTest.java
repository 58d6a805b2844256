package io.anser.broker.transaction;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.append.CarryOverRounds;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.OpenTransaction;
import io.anser.broker.metadata.SystemTopics;
import io.anser.broker.metadata.TransactionChange.TransactionEnded;
import io.anser.broker.metadata.TransactionEnd;
import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.WireHost;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.file.StoreException;
import io.anser.store.file.StoreException.Kind;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import io.anser.store.retention.CarryOver;
import io.anser.system.VirtualTime;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Half messages that are appended again, with appends that end when the test says so. */
class HalfCarryOverTest {
    private static final WireHost HOST = WireHost.of(new byte[] {127, 0, 0, 1}, 9876);
    private static final byte[] HALF = "RMQ_SYS_TRANS_HALF_TOPIC".getBytes(UTF_8);

    private final BrokerState state = new BrokerState(SystemTopics.of("C", "b", 8));
    private final Map<Long, ByteBuffer> stored = new HashMap<>();
    private final Queue<Append> appended = new ArrayDeque<>();
    private final List<String> ends = new ArrayList<>();
    private final CarryOver.End end = new CarryOver.End() {
        @Override
        public void free() {
            ends.add("free");
        }

        @Override
        public void kept(String reason) {
            ends.add(reason);
        }
    };
    private boolean full;
    private long nextPosition = 1_000_000;

    private final HalfCarryOver carryOver =
            new HalfCarryOver(state, new HalfLookup(state.transactions(), this::message), this::append, Runnable::run);
    private MessageStore store;
    private QueueLog half;

    private void append(Append append) {
        if (full) {
            throw new StoreException(Kind.FULL, "disk full");
        }
        appended.add(append);
    }

    @BeforeEach
    void start(@TempDir Path directory) {
        StoreSettings settings =
                StoreSettings.defaults().withDirectory(directory).withSegmentBytes(8 << 20);
        // For the handles of queues; what is appended goes to the list.
        store = MessageStore.open(
                settings,
                new BrokerState(List.of()),
                (queue, from, until) -> {},
                new VirtualTime(0),
                (where, cause) -> {
                    throw new AssertionError(where, cause);
                });
        state.attach(store::queue);
        half = store.queue("RMQ_SYS_TRANS_HALF_TOPIC", 0);
    }

    @AfterEach
    void stop() {
        store.close();
    }

    @Test
    void whatIsOpenBeforeThePositionIsAppendedAgainAndNothingElse() {
        open(1);
        open(2);
        open(7);
        end(2);

        carryOver.carryOver(7, end);

        assertThat(appended).hasSize(1).allMatch(Append::makesRoom);
        assertThat(ends).isEmpty();
        commit(appended.remove());
        assertThat(ends).containsExactly("free");
        assertThat(carryOver.carried()).isEqualTo(1);
        OpenTransaction moved = state.transactions().find(1).orElseThrow();
        assertThat(moved.position()).isEqualTo(1_000_000);
        assertThat(moved.queueOffset()).isEqualTo(1);
        assertThat(state.transactions().size()).isEqualTo(2);
    }

    @Test
    void aCopyIsCarriedOverLikeTheFirstAndNamesItToo() {
        open(1);
        carryOver.carryOver(7, end);
        commit(appended.remove());

        carryOver.carryOver(2_000_000, end);
        commit(appended.remove());

        OpenTransaction moved = state.transactions().find(1).orElseThrow();
        assertThat(moved.position()).isEqualTo(1_000_001);
        assertThat(state.transactions().size()).isEqualTo(1);
        assertThat(ends).containsExactly("free", "free");
    }

    /** An adopted log has a message at position 0. */
    @Test
    void aCopyOfTheFirstMessageOfAllIsKnownAsOne() {
        open(0);
        carryOver.carryOver(7, end);
        commit(appended.remove());

        assertThat(state.transactions().size()).isEqualTo(1);
        assertThat(state.transactions().find(0).orElseThrow().position()).isEqualTo(1_000_000);
    }

    @Test
    void theCopyOfATransactionThatEndsMeanwhileMeansNothing() {
        open(1);
        carryOver.carryOver(7, end);
        end(1);

        commit(appended.remove());

        assertThat(state.transactions().size()).isZero();
        assertThat(ends).containsExactly("free");
    }

    @Test
    void whatIsRefusedKeepsItsSegmentAndIsTriedAgain() {
        open(1);
        open(2);
        carryOver.carryOver(7, end);
        appended.remove().failed(new StoreException(Kind.BUSY, "log busy"));
        commit(appended.remove());
        assertThat(ends).containsExactly("half messages=1 cannot be appended again: log busy");

        carryOver.carryOver(7, end);
        commit(appended.remove());
        assertThat(ends).endsWith("free").hasSize(2);
    }

    @Test
    void aRoundEndsAtTheFirstThatIsRefusedAtOnceForWantOfRoom() {
        for (int i = 1; i <= 2 * CarryOverRounds.MAX_BATCH; i++) {
            open(i);
        }
        full = true;

        carryOver.carryOver(900_000, end);

        assertThat(ends).containsExactly("half messages=1 cannot be appended again: disk full");
    }

    @Test
    void whatNobodyCanReadHoldsNoSegment() {
        open(1);
        open(2);
        stored.remove(1L);

        carryOver.carryOver(7, end);
        commit(appended.remove());

        assertThat(ends).containsExactly("free");
    }

    @Test
    void withoutOpenTransactionsNothingIsHeld() {
        carryOver.carryOver(7, end);

        assertThat(ends).containsExactly("free");
    }

    private Optional<ByteBuffer> message(long position) {
        return Optional.ofNullable(stored.get(position));
    }

    private void open(long position) {
        byte[] properties = "REAL_TOPIC\u0001TBW102\u0002REAL_QID\u00010\u0002PGROUP\u0001p\u0002".getBytes(UTF_8);
        ByteBuffer body = ByteBuffer.wrap("half".getBytes(UTF_8));
        ByteBuffer message =
                ByteBuffer.allocate(MessageEncoder.encodedBytes(HALF.length, 4, properties.length, false, false));
        MessageEncoder.encode(message, new MessageHeader(0, 0, 0, 0, HOST, HOST, 0, 0), HALF, body, properties);
        apply(message.flip(), position, position);
    }

    private void apply(ByteBuffer message, long queueOffset, long position) {
        stored.put(position, message);
        state.applyMessage(half, queueOffset, position, message.limit(), 0, 0, message);
    }

    private void end(long id) {
        TransactionEnded ended = new TransactionEnded(id, TransactionEnd.ROLLED_BACK, 0);
        state.applyState(ended.kind(), ByteBuffer.wrap(ended.payload()), 0);
    }

    /** Applies the copy and tells it. */
    private void commit(Append append) {
        ByteBuffer bytes = ByteBuffer.allocate(append.bytes(0));
        append.encode(0, bytes);
        bytes.flip();
        assertThat(new MessageView().wrap(bytes, 0).preparedTransactionOffset()).isNotZero();
        apply(bytes, 77, nextPosition++);
        append.committed();
    }
}
