package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.message.MessageView;
import io.anser.store.file.FaultyStorage;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One thread drives writer, flusher and committer of a store in a seeded order over a device that loses power, tears writes
 * and fails, opens the store again and again, and checks after every start what must never be untrue.
 */
class CrashSimulationTest {
    private static final int QUEUES = 5;
    private static final int SEGMENT_BYTES = 16 << 10;

    @ParameterizedTest
    @CsvSource({"DISK,0", "DISK,1000", "DISK,2000", "MEMORY,3000", "MEMORY,4000"})
    void nothingCommittedIsLostOrChangedWhateverHappens(Durability durability, long firstSeed) throws IOException {
        HandDriven.quietRecovery();
        for (long seed = firstSeed; seed < firstSeed + 50; seed++) {
            new Simulation(durability, seed).run();
        }
    }

    /** One seed: several lives of one store. */
    private static final class Simulation {
        private final Durability durability;
        private final long seed;
        private final Random random;
        private final VirtualTime time = new VirtualTime();

        /** What was acknowledged: queue and offset, to body. */
        private final Map<String, String> acknowledged = new TreeMap<>();

        private final List<String> acknowledgedState = new ArrayList<>();
        private FaultyStorage storage = new FaultyStorage();
        private int nextBody;

        Simulation(Durability durability, long seed) {
            this.durability = durability;
            this.seed = seed;
            this.random = new Random(seed);
        }

        void run() throws IOException {
            int lives = 2 + random.nextInt(4);
            for (int life = 0; life < lives; life++) {
                live();
            }
            check(open(new RecordingState()), new RecordingState(), false);
        }

        private StoreParts open(RecordingState state) throws IOException {
            StoreSettings settings =
                    StoreSettings.defaults().withDurability(durability).withSnapshotBytes(20_000);
            return StoreParts.open(
                    settings,
                    storage,
                    SEGMENT_BYTES,
                    state,
                    (queue, from, until) -> {},
                    time,
                    Runnable::run,
                    (where, cause) -> {});
        }

        private void live() throws IOException {
            RecordingState state = new RecordingState();
            StoreParts parts = open(state);
            check(parts, state, true);
            if (random.nextInt(4) == 0) {
                storage.forcesUntilFailure = random.nextInt(30);
            } else if (random.nextInt(4) == 0) {
                storage.writesUntilFailure = random.nextInt(30);
            }
            List<TestUnit> open = new ArrayList<>();
            int steps = random.nextInt(150);
            for (int step = 0; step < steps; step++) {
                step(parts, open);
                settle(open);
            }
            end(parts, open);
        }

        private void step(StoreParts parts, List<TestUnit> open) {
            switch (random.nextInt(5)) {
                case 0, 1 -> append(parts, open);
                case 2 -> parts.pipeline().runWriter();
                case 3 -> parts.pipeline().runFlusher();
                default -> {
                    time.advance(Duration.ofMillis(random.nextInt(10)));
                    if (random.nextInt(20) == 0) {
                        parts.snapshotter().request();
                    }
                }
            }
        }

        private void append(StoreParts parts, List<TestUnit> open) {
            TestUnit unit = new TestUnit();
            int items = 1 + random.nextInt(3);
            for (int item = 0; item < items; item++) {
                String body = nextBody++ + ":" + "x".repeat(random.nextInt(random.nextInt(20) == 0 ? 4000 : 300));
                if (random.nextInt(5) == 0) {
                    unit.andState(3, body);
                } else {
                    unit.and(parts.queues().queue("Topic", random.nextInt(QUEUES)), body, "tag");
                }
            }
            boolean failedBefore = storage.failed;
            try {
                parts.pipeline().append(unit);
                open.add(unit);
            } catch (StoreException e) {
                assertThat(failedBefore).as("seed %d: refused: %s", seed, e).isTrue();
            }
        }

        private void settle(List<TestUnit> open) {
            open.removeIf(unit -> {
                if (unit.commits > 0) {
                    for (int item = 0; item < unit.items(); item++) {
                        acknowledge(unit, item);
                    }
                }
                return unit.commits > 0 || unit.failure != null;
            });
        }

        private void acknowledge(TestUnit unit, int item) {
            QueueLog queue = unit.queue(item);
            if (queue == null) {
                acknowledgedState.add("state 3 " + unit.text(item));
            } else {
                String before = acknowledged.put(queue.queueId() + "#" + unit.queueOffset(item), unit.text(item));
                assertThat(before).as("seed %d: offset given twice", seed).isNull();
            }
        }

        private void end(StoreParts parts, List<TestUnit> open) throws IOException {
            if (random.nextInt(3) == 0) {
                while (parts.pipeline().runWriter() || parts.pipeline().runFlusher()) {
                    // until everything has its outcome, as a clean close does
                }
                settle(open);
                assertThat(open).as("seed %d: units without an outcome", seed).isEmpty();
                try {
                    parts.finish();
                } catch (StoreException e) {
                    assertThat(storage.failed).as("seed %d: %s", seed, e).isTrue();
                }
            }
            boolean power = durability == Durability.DISK && random.nextBoolean();
            storage = power ? storage.losePower(random) : storage.kill();
        }

        private void check(StoreParts parts, RecordingState state, boolean withState) {
            Set<String> bodies = new HashSet<>();
            Map<String, String> found = new TreeMap<>();
            for (int id = 0; id < QUEUES; id++) {
                Optional<QueueLog> queue = parts.queues().find("Topic", id);
                if (queue.isPresent()) {
                    read(parts, queue.get(), found, bodies);
                }
            }
            assertThat(found).as("seed %d", seed).containsAllEntriesOf(acknowledged);
            // What was not acknowledged but survived is as good as acknowledged from now on: consumers can see it.
            acknowledged.putAll(found);
            if (withState) {
                List<String> states = new ArrayList<>(state.applied);
                states.removeIf(line -> line.startsWith("message"));
                assertThat(states).as("seed %d", seed).doesNotHaveDuplicates();
                if (!acknowledgedState.isEmpty()) {
                    assertThat(states).as("seed %d", seed).containsSubsequence(acknowledgedState);
                }
                acknowledgedState.clear();
                acknowledgedState.addAll(states);
                assertThat(state.applied).as("seed %d", seed).hasSize(states.size() + found.size());
            }
        }

        private void read(StoreParts parts, QueueLog queue, Map<String, String> found, Set<String> bodies) {
            QueueCursor cursor = new QueueCursor();
            MessageView view = new MessageView();
            long expected = 0;
            long position = -1;
            for (boolean more = cursor.seek(queue, 0); more; more = cursor.next()) {
                view.wrap(parts.log().slice(cursor.position(), cursor.size()), 0);
                String body = RecordingState.body(view);
                assertThat(view.queueOffset()).as("seed %d", seed).isEqualTo(expected++);
                assertThat(cursor.position()).as("seed %d", seed).isGreaterThan(position);
                assertThat(bodies.add(body))
                        .as("seed %d: twice: %s", seed, body)
                        .isTrue();
                assertThat(cursor.tagsHash()).isEqualTo("tag".hashCode());
                position = cursor.position();
                found.put(queue.queueId() + "#" + cursor.offset(), body);
            }
            assertThat(expected).as("seed %d", seed).isEqualTo(queue.maxOffset());
        }
    }
}
