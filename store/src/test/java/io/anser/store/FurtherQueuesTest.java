package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.message.MessageView;
import io.anser.store.file.FaultyStorage;
import io.anser.store.file.StoreException;
import io.anser.store.queue.PageFile;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.FurtherQueues;
import io.anser.store.state.StateChange;
import io.anser.store.state.TopicDrop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Messages that are listed in further queues beside their own. */
class FurtherQueuesTest {
    private static final int PAGE_AND_MORE = 70;
    private static final int IN_BODY = 89;
    private static final String LOG = "log/00000000000000000000";
    private static final String PAGES = "index/queue-pages-0000000000";

    private FaultyStorage storage = new FaultyStorage();
    private HandDriven store = HandDriven.open(storage);

    /** A message of T/0 that is listed in queue 0 of other topics. */
    private TestUnit listed(String body, String... topics) {
        return announcing(0, topics).and(store.queue(0), body, "");
    }

    private static TestUnit announcing(int digitsAt, String... topics) {
        return new TestUnit().andListed(digitsAt, List.of(topics));
    }

    private QueueLog further(String topic) {
        return store.parts.queues().queue(topic, 0);
    }

    private List<String> bodies(String topic) {
        List<String> bodies = new ArrayList<>();
        QueueCursor cursor = new QueueCursor();
        MessageView view = new MessageView();
        QueueLog queue = further(topic);
        for (boolean more = cursor.seek(queue, 0); more; more = cursor.next()) {
            view.wrap(store.parts.log().slice(cursor.position(), cursor.size()), 0);
            bodies.add(RecordingState.body(view));
        }
        return bodies;
    }

    @Test
    void aMessageIsInItsOwnQueueAndInTheFurtherOnes() {
        TestUnit one = listed("one", "A", "B");
        store.commit(one, TestUnit.message(store.queue(0), "plain"), listed("two", "B"));

        assertThat(one.queueOffset(1)).isZero();
        assertThat(store.bodies(0)).containsExactly("one", "plain", "two");
        assertThat(bodies("A")).containsExactly("one");
        assertThat(bodies("B")).containsExactly("one", "two");
        List<String> applied = List.of(
                "message T/0#0 one",
                "listed A#0",
                "listed B#0",
                "message T/0#1 plain",
                "message T/0#2 two",
                "listed B#1");
        assertThat(store.state.applied).isEqualTo(applied);
        assertThat(HandDriven.open(storage.kill()).state.applied).isEqualTo(applied);
        assertThat(store.faults).isEmpty();
    }

    @Test
    void aFurtherQueueMayHaveMessagesOfItsOwn() {
        store.commit(
                TestUnit.message(further("A"), "own"), listed("listed", "A"), TestUnit.message(further("A"), "own2"));

        assertThat(bodies("A")).containsExactly("own", "listed", "own2");
    }

    @Test
    void theOffsetsAreWrittenIntoTheMessage() {
        store.commit(listed("first", "B"));
        String empty = "0".repeat(FurtherQueues.DIGITS);
        TestUnit unit = announcing(0).andWith(store.queue(0), "x", "OFFSETS", empty + "," + empty);
        int digitsAt = unit.bytes(1) - 1 - 2 * FurtherQueues.DIGITS - 1;
        TestUnit told = announcing(digitsAt, "A", "B").andWith(store.queue(0), "x", "OFFSETS", empty + "," + empty);
        store.commit(told);

        MessageView view = new MessageView().wrap(store.parts.log().slice(told.position(1), told.bytes(1)), 0);
        assertThat(view.property("OFFSETS")).contains("0000000000000000000,0000000000000000001");
    }

    @Test
    void theyAreTheSameAfterARestartAtEveryPoint() {
        for (int restartAfter = 0; restartAfter < 4; restartAfter++) {
            for (int snapshotAfter = -1; snapshotAfter <= restartAfter; snapshotAfter++) {
                storage = new FaultyStorage();
                store = HandDriven.open(storage);
                List<String> expected = new ArrayList<>();
                for (int step = 0; step < 4; step++) {
                    for (int i = 0; i < PAGE_AND_MORE; i++) {
                        String body = step + "-" + i;
                        store.commit(i % 3 == 0 ? listed(body, "A") : TestUnit.message(store.queue(0), body));
                        if (i % 3 == 0) {
                            expected.add(body);
                        }
                    }
                    if (step == snapshotAfter) {
                        store.snapshot();
                    }
                    if (step == restartAfter) {
                        List<String> before = List.copyOf(store.state.applied);
                        storage = storage.losePower(new Random(restartAfter));
                        store = HandDriven.open(storage);
                        assertThat(store.state.applied).isEqualTo(before);
                    }
                    assertThat(bodies("A"))
                            .as("restart after %d, snapshot after %d, step %d", restartAfter, snapshotAfter, step)
                            .isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void theIndexOfAFurtherQueueIsBuiltAgain() throws Exception {
        List<String> expected = fill();
        store.snapshot();
        expected.addAll(fill());

        storage.delete(PAGES);
        store = HandDriven.open(storage);

        assertThat(bodies("A")).isEqualTo(expected);
        store.commit(listed("next", "A"));
        assertThat(further("A").maxOffset()).isEqualTo(expected.size() + 1L);
    }

    @Test
    void anIndexThatIsBuiltAgainHasTheMessagesOfADroppedTopicInTheirFurtherQueues() throws Exception {
        List<String> expected = fill();
        store.commit(TestUnit.state(TopicDrop.KIND, "T"));
        store.commit(listed("after", "A"));
        expected.add("after");
        store.snapshot();

        storage.delete(PAGES);
        store = HandDriven.open(storage);

        assertThat(bodies("A")).isEqualTo(expected);
        assertThat(store.bodies(0)).containsExactly("after");
    }

    @Test
    void aDamagedPageOfAFurtherQueueComesBack() {
        List<String> expected = fill();
        expected.addAll(fill());
        int pages = storage.bytes(PAGES).length / 1024;

        for (int page = 0; page < pages; page++) {
            storage.flip(PAGES, page * 1024 + 100, 0x40);
            try {
                bodies("A");
            } catch (StoreException building) {
                assertThat(building.kind()).isEqualTo(StoreException.Kind.BUSY);
            }
            assertThat(bodies("A")).as("page %d", page).isEqualTo(expected);
        }
    }

    @Test
    void aDroppedFurtherQueueBeginsAnewAndNothingOfBeforeComesBack() throws Exception {
        store.commit(listed("before", "A", "B"), TestUnit.state(TopicDrop.KIND, "A"), listed("after", "A", "B"));
        assertThat(bodies("A")).containsExactly("after");
        assertThat(bodies("B")).containsExactly("before", "after");
        store.snapshot();

        store = HandDriven.open(storage);
        assertThat(bodies("A")).containsExactly("after");
        storage.delete(PAGES);
        store = HandDriven.open(storage);

        assertThat(bodies("A")).containsExactly("after");
        assertThat(bodies("B")).containsExactly("before", "after");
    }

    @Test
    void offsetsOfMessagesThatADeviceHadNoRoomForAreGivenAgain() {
        store.commit(listed("kept", "A"));
        storage.capacityBytes = 0; // not one byte more, and nobody has looked yet
        long stored = 1;
        List<TestUnit> units = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            TestUnit unit = listed("x".repeat(1_000), "A");
            store.commit(unit);
            units.add(unit);
        }
        stored += units.stream().filter(TestUnit::isCommitted).count();
        assertThat(stored).isLessThan(40);
        assertThat(further("A").maxOffset()).isEqualTo(stored);

        storage.capacityBytes = 1 << 20;
        store.time.advance(Duration.ofSeconds(1));
        store.run();
        store.commit(listed("after", "A"));

        assertThat(further("A").maxOffset()).isEqualTo(stored + 1);
        assertThat(bodies("A")).hasSize((int) stored + 1).endsWith("after");
        store = HandDriven.open(storage.kill());
        assertThat(bodies("A")).hasSize((int) stored + 1).endsWith("after");
        assertThat(store.faults).isEmpty();
    }

    @Test
    void aChangeThatAnnouncesNoMessageIsRefused() {
        TestUnit alone = announcing(0, "A");
        TestUnit own = announcing(0, "T").and(store.queue(0), "own", "");
        TestUnit behind = TestUnit.message(store.queue(0), "x").andState(FurtherQueues.KIND, new byte[4]);
        store.commit(alone, behind, own);

        assertThat(alone.failure.kind()).isEqualTo(StoreException.Kind.REFUSED);
        assertThat(behind.failure.kind()).isEqualTo(StoreException.Kind.REFUSED);
        assertThat(own.failure.kind()).isEqualTo(StoreException.Kind.REFUSED);
        assertThat(store.parts.queues().find("A", 0)).isEmpty();
    }

    @Test
    void offsetsOfADamagedMessageInItsLightQueuesAreNotGivenAgain() {
        store.commit(told("one"));
        TestUnit damaged = told("two");
        store.commit(damaged);
        store.commit(TestUnit.message(store.queue(0), "behind"));

        storage = storage.kill();
        storage.flip(LOG, (int) damaged.position(1) + IN_BODY, 0x40);
        store = HandDriven.open(storage);
        assertThat(store.state.applied).contains("message T/0#2 behind").doesNotContain("message T/0#1 two");

        store.commit(told("three"));
        assertThat(further("%LMQ%a").maxOffset()).isEqualTo(3);
        assertThat(further("%LMQ%b").maxOffset()).isEqualTo(3);
    }

    @Test
    void offsetsOfAMessageWhoseOwnOffsetIsTakenAreNotGivenAgain() {
        store.commit(listed("one", "A"));
        TestUnit drop = TestUnit.state(TopicDrop.KIND, "T");
        store.commit(drop);
        store.commit(listed("two", "A"));
        store.commit(TestUnit.message(store.queue(0), "behind"));
        assertThat(further("A").maxOffset()).isEqualTo(2);

        storage = storage.kill();
        storage.flip(LOG, (int) drop.position(0) + StateChange.HEADER_BYTES, 0x40);
        store = HandDriven.open(storage);
        assertThat(store.bodies(0)).containsExactly("one", "behind");

        store.commit(listed("three", "A"));
        assertThat(further("A").maxOffset()).isEqualTo(3);
    }

    /** A message that says where it is listed, as the broker writes it. */
    private TestUnit told(String body) {
        String empty = "0".repeat(FurtherQueues.DIGITS);
        String[] properties = {"INNER_MULTI_DISPATCH", "%LMQ%a,%LMQ%b", "INNER_MULTI_QUEUE_OFFSET", empty + "," + empty
        };
        int bytes = announcing(0).andWith(store.queue(0), body, properties).bytes(1);
        int digitsAt = bytes - 1 - 2 * FurtherQueues.DIGITS - 1;
        return announcing(digitsAt, "%LMQ%a", "%LMQ%b").andWith(store.queue(0), body, properties);
    }

    private List<String> fill() {
        List<String> listed = new ArrayList<>();
        for (int i = 0; i < PageFile.SLOTS + 10; i++) {
            String body = "body-" + further("A").maxOffset();
            store.commit(listed(body, "A"), TestUnit.message(store.queue(1), "other"));
            listed.add(body);
        }
        return listed;
    }
}
