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
import io.anser.store.retention.CarryOver;
import io.anser.store.state.StateSection;
import io.anser.system.VirtualTime;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
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
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random decisions, checks, carry-overs, lost appends and restarts over a log that commits when chance says so. Whatever
 * happens, a message appears once if its first decision was a commit, and never otherwise; and who replays the log knows the
 * same.
 */
class TransactionModelTest {
    private static final WireHost HOST = WireHost.of(new byte[] {127, 0, 0, 1}, 9876);
    private static final byte[] HALF = "RMQ_SYS_TRANS_HALF_TOPIC".getBytes(UTF_8);
    private static final int SEEDS = 60;
    private static final int STEPS = 400;

    @TempDir
    Path directory;

    @Test
    void everyTransactionEndsOnceAsItsFirstDecisionSays() throws IOException {
        // For the handles of queues.
        VirtualTime time = new VirtualTime(0);
        StoreSettings settings =
                StoreSettings.defaults().withDirectory(directory).withSegmentBytes(8 << 20);
        try (MessageStore store = MessageStore.open(
                settings, new BrokerState(List.of()), (queue, from, until) -> {}, time, (where, cause) -> {
                    throw new AssertionError(where, cause);
                })) {
            for (int seed = 0; seed < SEEDS; seed++) {
                new Run(store, new Random(seed), "seed=" + seed).go();
            }
        }
    }

    /** One item of the log: a message or a state change. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Item(long position, ByteBuffer bytes) {}

    private static final class Run {
        private final MessageStore store;
        private final Random random;
        private final String name;
        private final VirtualTime time = new VirtualTime(1_000_000);
        private final List<Item> log = new ArrayList<>();
        private final Map<Long, ByteBuffer> stored = new HashMap<>();
        private final Queue<Append> waiting = new ArrayDeque<>();
        private final List<Long> ids = new ArrayList<>();
        private final Map<Long, Integer> visible = new HashMap<>();
        private final Map<Long, Set<TransactionEnd>> succeeded = new HashMap<>();
        private final QueueLog half;
        private BrokerState state;
        private Decisions decisions;
        private CheckBacks checks;
        private HalfCarryOver carryOver;
        private long position = 1_000;

        Run(MessageStore store, Random random, String name) {
            this.store = store;
            this.random = random;
            this.name = name;
            this.half = store.queue("RMQ_SYS_TRANS_HALF_TOPIC", 0);
            start();
        }

        /** A broker that knows what the log says, and nothing of what was on its way. */
        private void start() {
            waiting.clear();
            state = new BrokerState(SystemTopics.of("C", "b", 8));
            state.attach(store::queue);
            log.forEach(item -> apply(state, item));
            HalfLookup halves = new HalfLookup(state.transactions(), at -> Optional.ofNullable(stored.get(at)));
            decisions = new Decisions(state, halves, topic -> 0, waiting::add, time);
            checks = new CheckBacks(
                    state.transactions(),
                    halves,
                    decisions,
                    (group, turn) ->
                            random.nextInt(3) == 0 ? Optional.empty() : Optional.of((question, body) -> body.release()),
                    new Proposals(waiting::add),
                    new CheckTimes(new TransactionSettings(6_000, 30_000, 3, 1, 1_000)),
                    time,
                    time,
                    Runnable::run);
            carryOver = new HalfCarryOver(state, halves, waiting::add, Runnable::run);
            checks.start();
        }

        void go() throws IOException {
            for (int step = 0; step < STEPS; step++) {
                step();
            }
            while (!waiting.isEmpty()) {
                commit();
            }
            verify();
        }

        private void step() throws IOException {
            switch (random.nextInt(12)) {
                case 0, 1 -> open();
                case 2, 3, 4 -> decide();
                case 5, 6, 7 -> commit();
                case 8 -> fail();
                case 9 -> time.advance(Duration.ofSeconds(random.nextInt(40)));
                case 10 -> carryOver.carryOver(position, IGNORED);
                default -> {
                    if (random.nextInt(10) == 0) {
                        restart();
                    }
                }
            }
        }

        private void open() {
            byte[] properties = "REAL_TOPIC\u0001TBW102\u0002REAL_QID\u00010\u0002PGROUP\u0001p\u0002".getBytes(UTF_8);
            ByteBuffer body = ByteBuffer.wrap("half".getBytes(UTF_8));
            ByteBuffer message =
                    ByteBuffer.allocate(MessageEncoder.encodedBytes(HALF.length, 4, properties.length, false, false));
            MessageEncoder.encode(message, new MessageHeader(0, 0, 0, 0, HOST, HOST, 0, 0), HALF, body, properties);
            ids.add(position);
            applyNew(message.flip());
        }

        private void decide() {
            if (ids.isEmpty()) {
                return;
            }
            long id = ids.get(random.nextInt(ids.size()));
            TransactionEnd end = random.nextBoolean() ? TransactionEnd.COMMITTED : TransactionEnd.ROLLED_BACK;
            decisions.decide(new Decision(id, queueOffset(id), "p", end), new Decisions.Asker() {
                @Override
                public void ended() {
                    succeeded.computeIfAbsent(id, key -> new HashSet<>()).add(end);
                }

                @Override
                public void refused(Refusal reason) {}
            });
        }

        private static long queueOffset(long id) {
            return id;
        }

        private void commit() {
            Append append = waiting.poll();
            if (append == null) {
                return;
            }
            for (int item = 0; item < append.items(); item++) {
                ByteBuffer bytes = ByteBuffer.allocate(append.bytes(item));
                append.encode(item, bytes);
                applyNew(bytes.flip());
            }
            append.committed();
        }

        private void fail() {
            Append append = waiting.poll();
            if (append != null) {
                append.failed(new StoreException(StoreException.Kind.BUSY, "the test's log is busy"));
            }
        }

        private void applyNew(ByteBuffer bytes) {
            Item item = new Item(position++, bytes);
            log.add(item);
            if (!isChange(bytes)) {
                stored.put(item.position(), bytes);
                MessageView message = new MessageView().wrap(bytes, 0);
                if (message.topic().equals("TBW102")) {
                    visible.merge(message.preparedTransactionOffset(), 1, Integer::sum);
                }
            }
            apply(state, item);
        }

        private void apply(BrokerState target, Item item) {
            ByteBuffer bytes = item.bytes().duplicate();
            if (isChange(bytes)) {
                bytes.position(8);
                target.applyState(bytes.getShort(), bytes, item.position());
            } else if (new MessageView().wrap(bytes, 0).topic().equals(half.topic())) {
                target.applyMessage(half, item.position(), item.position(), bytes.limit(), 0, 1_000_000, bytes);
            }
        }

        private static boolean isChange(ByteBuffer bytes) {
            return bytes.getInt(4) == 0x414E5331;
        }

        /** What is replayed is what was known, and what a snapshot holds. */
        private void restart() throws IOException {
            byte[] before = snapshot(state);
            checks.close();
            start();
            assertThat(snapshot(state)).as(name).isEqualTo(before);
            BrokerState restored = new BrokerState(SystemTopics.of("C", "b", 8));
            transactions(restored).reader().read(new DataInputStream(new ByteArrayInputStream(before)));
            assertThat(snapshot(restored)).as(name).isEqualTo(before);
        }

        private static byte[] snapshot(BrokerState of) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            transactions(of).source().hold().write(new DataOutputStream(bytes));
            return bytes.toByteArray();
        }

        private static StateSection transactions(BrokerState of) {
            return of.sections().stream()
                    .filter(section -> section.name().equals("transactions"))
                    .findFirst()
                    .orElseThrow();
        }

        private void verify() {
            for (long id : ids) {
                Optional<TransactionEnd> end = state.transactions().end(id);
                boolean committed =
                        end.filter(how -> how == TransactionEnd.COMMITTED).isPresent();
                assertThat(visible.getOrDefault(id, 0))
                        .as("%s id=%d end=%s", name, id, end)
                        .isEqualTo(committed ? 1 : 0);
                Set<TransactionEnd> told = succeeded.getOrDefault(id, Set.of());
                assertThat(told).as("%s id=%d told", name, id).hasSizeLessThanOrEqualTo(1);
                told.forEach(how -> assertThat(end).as("%s id=%d", name, id).contains(how));
                assertThat(state.transactions().find(id).isPresent())
                        .as("%s id=%d open", name, id)
                        .isEqualTo(end.isEmpty());
            }
        }
    }

    private static final CarryOver.End IGNORED = new CarryOver.End() {
        @Override
        public void free() {}

        @Override
        public void kept(String reason) {}
    };
}
