package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.file.FaultyStorage;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.TopicDrop;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A topic that is dropped is gone at once and for good, and begins again from 0. */
class TopicDropTest {
    private static final int PAGE_AND_MORE = 70;

    private FaultyStorage storage = new FaultyStorage();
    private HandDriven store = HandDriven.open(storage);

    @Test
    void theSameNameBeginsAgainAtZero() {
        QueueLog old = store.queue(0);
        store.commit(message(old, "a"), message(old, "b"), drop());

        QueueLog anew = store.queue(0);
        TestUnit first = message(anew, "c");
        store.commit(first);

        assertThat(anew).isNotSameAs(old);
        assertThat(first.queueOffset(0)).isZero();
        assertThat(store.bodies(0)).containsExactly("c");
        assertThat(anew.minOffset()).isZero();
        assertThat(anew.maxOffset()).isEqualTo(1);
    }

    @Test
    void theOldHandleTakesNoMoreMessagesAndShowsNone() {
        QueueLog old = store.queue(0);
        TestUnit before = message(old, "before");
        TestUnit after = message(old, "after");
        store.commit(before, drop(), after);

        assertThat(before.isCommitted()).isTrue();
        assertThat(after.failure.kind()).isEqualTo(StoreException.Kind.DROPPED);
        assertThat(old.isDropped()).isTrue();
        assertThat(old.minOffset()).isEqualTo(old.maxOffset());
        assertThat(new QueueCursor().seek(old, 0)).isFalse();
        assertThat(store.bodies(0)).isEmpty();
    }

    @Test
    void theOldHandleIsReadableUntilTheDropIsCommitted() {
        QueueLog old = store.queue(0);
        store.commit(message(old, "a"));
        store.parts.pipeline().append(drop());
        store.parts.pipeline().runWriter();

        assertThat(old.isDropped()).isFalse();
        assertThat(new QueueCursor().seek(old, 0)).isTrue();
        assertThat(store.queue(0)).as("handle of the next life").isNotSameAs(old);
        assertThat(store.parts.queues().startPosition("T")).isZero();

        store.run();
        assertThat(old.isDropped()).isTrue();
        assertThat(store.queue(0).sincePosition())
                .isEqualTo(store.parts.queues().startPosition("T"))
                .isPositive();
    }

    @Test
    void aUnitWithOneMessageOfADroppedTopicIsRefusedWhole() {
        QueueLog other = store.parts.queues().queue("U", 0);
        QueueLog old = store.queue(0);
        TestUnit both = new TestUnit().and(other, "u", "").and(old, "t", "");
        store.commit(drop(), both);

        assertThat(both.failure.kind()).isEqualTo(StoreException.Kind.DROPPED);
        assertThat(other.maxOffset()).isZero();
        TestUnit next = message(other, "u2");
        store.commit(next);
        assertThat(next.queueOffset(0)).isZero();
    }

    @Test
    void aUnitMayNotDropTheTopicOfItsOwnMessages() {
        TestUnit unit = message(store.queue(0), "x").andState(TopicDrop.KIND, "T");
        store.commit(unit);

        assertThat(unit.failure.kind()).isEqualTo(StoreException.Kind.REFUSED);
        assertThat(store.queue(0).isDropped()).isFalse();
    }

    @Test
    void kindsOfTheStoreThatItDoesNotKnowAreRefused() {
        TestUnit unit = TestUnit.state(0x7FFF, "x");
        store.commit(unit);

        assertThat(unit.failure.kind()).isEqualTo(StoreException.Kind.REFUSED);
    }

    @Test
    void theOwnerOfTheStateSeesItsOwnChangeOfTheUnitOnly() {
        store.commit(TestUnit.state(7, "deleted").andState(TopicDrop.KIND, "T"));

        assertThat(store.state.applied).containsExactly("state 7 deleted");
    }

    @Test
    void whoeverWaitsForMessagesOfADroppedQueueIsTold() {
        QueueLog one = store.queue(0);
        QueueLog two = store.queue(1);
        store.commit(message(one, "a"), message(two, "b"));
        store.commit(drop());

        assertThat(store.dropped).containsExactly(one, two);
    }

    @Test
    void aDropIsTheSameAfterARestartAtEveryPoint() {
        List<Runnable> steps = List.of(
                () -> fill("a"),
                () -> store.commit(drop()),
                () -> store.commit(drop()),
                () -> fill("b"),
                () -> store.commit(drop()),
                () -> fill("c"));
        List<List<String>> expected = List.of(bodies("a"), List.of(), List.of(), bodies("b"), List.of(), bodies("c"));
        for (int restartAfter = 0; restartAfter < steps.size(); restartAfter++) {
            for (int snapshotAfter = -1; snapshotAfter <= restartAfter; snapshotAfter++) {
                storage = new FaultyStorage();
                store = HandDriven.open(storage);
                for (int step = 0; step < steps.size(); step++) {
                    steps.get(step).run();
                    if (step == snapshotAfter) {
                        store.snapshot();
                    }
                    if (step == restartAfter) {
                        storage = storage.losePower(new Random(restartAfter));
                        store = HandDriven.open(storage);
                    }
                    assertThat(store.bodies(0))
                            .as("restart after %d, snapshot after %d, step %d", restartAfter, snapshotAfter, step)
                            .isEqualTo(expected.get(step));
                }
            }
        }
    }

    @Test
    void theIndexIsBuiltAgainWithoutGhosts() throws Exception {
        fill("a");
        store.commit(drop());
        fill("b");
        store.snapshot();
        fill("b2");
        List<String> before = store.bodies(0);
        long start = store.parts.queues().startPosition("T");

        storage.delete("index/queue-pages-0000000000");
        store = HandDriven.open(storage);

        assertThat(store.bodies(0)).isEqualTo(before).hasSize(2 * PAGE_AND_MORE);
        assertThat(store.parts.queues().startPosition("T")).isEqualTo(start);
        TestUnit next = message(store.queue(0), "next");
        store.commit(next);
        assertThat(next.queueOffset(0)).isEqualTo(2 * PAGE_AND_MORE);
    }

    @Test
    void aTopicThatIsNotMadeAgainStaysAwayWhenTheIndexIsBuiltAgain() throws Exception {
        fill("a");
        store.commit(drop());
        store.snapshot();

        storage.delete("index/queue-pages-0000000000");
        store = HandDriven.open(storage);

        assertThat(store.parts.queues().find("T", 0)).isEmpty();
    }

    @Test
    void numbersOfDroppedQueuesAreGivenAgainSoThatSnapshotsDoNotGrow() throws Exception {
        int first = 0;
        for (int life = 0; life < 50; life++) {
            for (int id = 0; id < 8; id++) {
                store.commit(message(store.queue(id), "life " + life));
            }
            store.commit(drop());
            store.snapshot();
            int bytes = newestSnapshotBytes() - stateBytes();
            first = life == 0 ? bytes : first;
            // Retention notes the time once per KiB of log here; 400 queues would take far more.
            assertThat(bytes).as("life %d", life).isBetween(first, first + 1_000);
        }
    }

    private int stateBytes() {
        return store.state.applied.stream().mapToInt(line -> 4 + line.length()).sum();
    }

    private int newestSnapshotBytes() throws Exception {
        List<String> names = new ArrayList<>(storage.list("snapshot"));
        names.removeIf(name -> !name.matches("\\d{20}"));
        names.sort(null);
        try (var file = storage.open("snapshot/" + names.get(names.size() - 1))) {
            return (int) file.size();
        }
    }

    private void fill(String text) {
        List<TestUnit> units = new ArrayList<>();
        for (int i = 0; i < PAGE_AND_MORE; i++) {
            units.add(message(store.queue(0), text + i));
        }
        store.commit(units.toArray(TestUnit[]::new));
    }

    private static List<String> bodies(String text) {
        List<String> bodies = new ArrayList<>();
        for (int i = 0; i < PAGE_AND_MORE; i++) {
            bodies.add(text + i);
        }
        return bodies;
    }

    private static TestUnit message(QueueLog queue, String body) {
        return TestUnit.message(queue, body);
    }

    private static TestUnit drop() {
        return TestUnit.state(TopicDrop.KIND, "T");
    }
}
