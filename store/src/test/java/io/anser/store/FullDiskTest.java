package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.file.FaultyStorage;
import io.anser.store.file.StoreException;
import io.anser.store.file.StoreException.Kind;
import io.anser.store.log.DiskStatus.State;
import io.anser.store.queue.QueueLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What a store does when its device fills up, and when there is room again. */
class FullDiskTest {
    private static final int SEGMENT = HandDriven.SEGMENT_BYTES;

    private final FaultyStorage storage = new FaultyStorage();

    @Test
    void messagesAreRefusedAtTheLimitWithTheReasonWhileStateChangesAndReadsGoOn() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "before"));
        fillTo(store, 96);

        TestUnit message = TestUnit.message(store.queue(0), "refused");
        TestUnit mixed = new TestUnit().andState(1, "with it").and(store.queue(0), "refused too", "");
        TestUnit state = TestUnit.state(1, "offset");
        store.commit(message, mixed, state);

        assertThat(message.failure.kind()).isEqualTo(Kind.FULL);
        assertThat(message.failure).hasMessageMatching("disk full: path=memory: used=96% free=\\d+bytes limit=90%");
        assertThat(mixed.failure.kind()).isEqualTo(Kind.FULL);
        assertThat(state.isCommitted()).isTrue();
        assertThat(store.bodies(0)).containsExactly("before");
        assertThat(store.faults).isEmpty();
        assertThat(store.parts.disk().status().state()).isEqualTo(State.FULL);
    }

    @Test
    void messagesAreTakenAgainOnceThereIsRoom() {
        HandDriven store = HandDriven.open(storage);
        fillTo(store, 96);
        store.commit(TestUnit.message(store.queue(0), "refused"));

        fillTo(store, 89);
        TestUnit again = TestUnit.message(store.queue(0), "taken");
        store.commit(again);

        assertThat(again.isCommitted()).isTrue();
        assertThat(again.queueOffset(0)).isZero();
        assertThat(store.parts.disk().status().state()).isEqualTo(State.WARNING);
    }

    @Test
    void thePolicyLetsItsMessagesIntoTheMarginOnly() {
        HandDriven store = HandDriven.open(storage);
        store.parts.disk().setPolicy(queue -> queue.queueId() == 1);

        fillTo(store, 91);
        TestUnit blocking = TestUnit.message(store.queue(0), "block");
        TestUnit dropping = TestUnit.message(store.queue(1), "drop-oldest");
        TestUnit both = new TestUnit().and(store.queue(0), "a", "").and(store.queue(1), "b", "");
        store.commit(blocking, dropping, both);
        assertThat(blocking.failure.kind()).isEqualTo(Kind.FULL);
        assertThat(both.failure.kind()).isEqualTo(Kind.FULL);
        assertThat(dropping.isCommitted()).isTrue();
        assertThat(store.parts.disk().status().marginOpen()).isTrue();

        fillTo(store, 96);
        TestUnit late = TestUnit.message(store.queue(1), "too late");
        store.commit(late);
        assertThat(late.failure.kind()).isEqualTo(Kind.FULL);
        assertThat(store.parts.disk().status().marginOpen()).isFalse();
    }

    @Test
    void bytesPreparedForTheLogDoNotCountAsUsed() {
        HandDriven store = HandDriven.open(storage);
        storage.capacityBytes = 20_000;
        store.time.advance(Duration.ofSeconds(1));
        store.run();

        long log = storage.list("log").size() * (long) SEGMENT;
        assertThat(log).isGreaterThanOrEqualTo(SEGMENT);
        assertThat(store.parts.disk().status().usedPercent()).isLessThan(5);
    }

    @Test
    void theGrowthTellsWhenTheLimitIsReached() {
        HandDriven store = HandDriven.open(storage);
        storage.capacityBytes = 10_000_000;
        storage.otherBytes = 5_000_000;
        store.time.advance(Duration.ofSeconds(1));
        store.run();
        assertThat(store.parts.disk().status().secondsToFull()).isEqualTo(-1);

        for (int second = 0; second < 600; second++) {
            storage.otherBytes += 1_000;
            store.time.advance(Duration.ofSeconds(1));
            store.run();
        }
        assertThat(store.parts.disk().status().secondsToFull()).isBetween(3_300L, 3_450L);
    }

    @Test
    void aDeviceThatGivesNoMoreBytesRefusesMessagesOnlyAndLosesNothing() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "kept"));
        storage.capacityBytes = 0; // not one byte more, and nobody has looked yet

        List<TestUnit> messages = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            TestUnit unit = TestUnit.ofBytes(store.queue(0), 1_000);
            store.commit(unit);
            messages.add(unit);
        }
        long stored = messages.stream().filter(TestUnit::isCommitted).count();
        assertThat(stored).isBetween(1L, 39L);
        assertThat(messages.subList((int) stored, 40))
                .allSatisfy(unit -> assertThat(unit.failure.kind()).isEqualTo(Kind.FULL));
        assertThat(messages.get(39).failure).hasMessageEndingWith("the device has no space left");
        assertThat(store.faults).isEmpty();

        storage.capacityBytes = 1 << 20;
        store.time.advance(Duration.ofSeconds(1));
        store.run();
        TestUnit after = TestUnit.message(store.queue(0), "after");
        store.commit(after);
        assertThat(after.isCommitted()).isTrue();
        assertThat(after.queueOffset(0)).isEqualTo(stored + 1);
        assertThat(HandDriven.open(storage.kill()).bodies(0))
                .hasSize((int) stored + 2)
                .endsWith("after");
    }

    @Test
    void whatWasRefusedNeverComesBackBehindAStateChangeOfTheSameBatchThatWasTaken() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.ofBytes(store.queue(0), SEGMENT / 2)); // no large message fits behind the state change
        store.time.advance(Duration.ofSeconds(1));
        store.run();
        storage.capacityBytes = storage.space().usedBytes() + SEGMENT; // the next segment can be filled, no more

        TestUnit state = TestUnit.state(1, "taken");
        List<TestUnit> messages = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            messages.add(TestUnit.ofBytes(store.queue(0), SEGMENT * 5 / 8));
        }
        List<TestUnit> batch = new ArrayList<>(messages);
        batch.add(0, state);
        store.commit(batch.toArray(TestUnit[]::new));
        assertThat(state.isCommitted()).isTrue();
        assertThat(messages).allSatisfy(unit -> assertThat(unit.failure.kind()).isEqualTo(Kind.FULL));

        storage.capacityBytes = 1 << 20;
        assertThat(HandDriven.open(storage.kill()).bodies(0)).hasSize(1);
    }

    @Test
    void stateChangesGoOnInWhatIsPreparedWhenTheDeviceGivesNoMore() {
        HandDriven store = HandDriven.open(storage);
        store.run();
        storage.capacityBytes = 0;
        // Larger than what is prepared: refused, and the state change that waited with it is stored all the same.
        TestUnit large = TestUnit.ofBytes(store.queue(0), 2 * SEGMENT / 3);
        TestUnit alsoLarge = TestUnit.ofBytes(store.queue(0), 2 * SEGMENT / 3);
        TestUnit state = TestUnit.state(1, "offset");
        store.commit(large, alsoLarge, state);

        assertThat(alsoLarge.failure.kind()).isEqualTo(Kind.FULL);
        assertThat(state.isCommitted()).isTrue();
        assertThat(store.faults).isEmpty();

        int changes = 0;
        TestUnit change = TestUnit.state(2, "x");
        for (; changes < 10_000; changes++) {
            change = TestUnit.state(2, "x".repeat(100));
            store.commit(change);
            if (!change.isCommitted()) {
                break;
            }
        }
        assertThat(changes).isGreaterThan(20);
        assertThat(change.failure.kind()).isEqualTo(Kind.FULL);
        HandDriven opened = HandDriven.open(storage.kill());
        assertThat(opened.state.applied.stream().filter(line -> line.startsWith("state 2")))
                .hasSize(changes);
    }

    @Test
    void whatWasRefusedHalfWrittenIsNotFoundByARestart() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "kept"));
        TestUnit first = TestUnit.message(store.queue(0), "first of the batch");
        TestUnit second = TestUnit.ofBytes(store.queue(1), 300);
        storage.noSpaceAfterWrites = 0;
        store.commit(first, second);

        assertThat(first.failure.kind()).isEqualTo(Kind.FULL);
        assertThat(second.failure.kind()).isEqualTo(Kind.FULL);
        HandDriven opened = HandDriven.open(storage.kill());
        assertThat(opened.bodies(0)).containsExactly("kept");
        assertThat(opened.bodies(1)).isEmpty();

        TestUnit next = new TestUnit().and(store.queue(0), "next", "").and(store.queue(1), "next", "");
        store.time.advance(Duration.ofSeconds(1));
        store.run();
        store.commit(next);
        assertThat(next.isCommitted()).isTrue();
        assertThat(next.queueOffset(0)).isEqualTo(1);
        assertThat(next.queueOffset(1)).isZero();
        assertThat(HandDriven.open(storage.kill()).bodies(0)).containsExactly("kept", "next");
    }

    @Test
    void aStoreOnAFullDeviceStartsForReadersAndWritesWhenThereIsRoom() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "kept"));
        while (storage.list("log").size() < 2) {
            store.commit(TestUnit.ofBytes(store.queue(0), 1_000));
        }
        FaultyStorage full = storage.kill();
        // Cut at the end of the log, so that nothing is prepared: not even the start of a term can be written.
        full.truncate("log/" + full.list("log").get(1), 0);
        full.truncate(
                "log/" + full.list("log").get(0), (int) store.parts.marks().committed());
        full.capacityBytes = 0;

        HandDriven opened = HandDriven.open(full);
        assertThat(opened.bodies(0)).hasSameSizeAs(store.bodies(0));
        TestUnit refused = TestUnit.message(opened.queue(0), "refused");
        TestUnit change = TestUnit.state(1, "no room either");
        opened.commit(refused, change);
        assertThat(List.of(refused, change))
                .allSatisfy(unit -> assertThat(unit.failure.kind()).isEqualTo(Kind.FULL));
        assertThat(opened.faults).isEmpty();

        full.capacityBytes = 1 << 20;
        opened.time.advance(Duration.ofSeconds(1));
        opened.run();
        TestUnit taken = TestUnit.message(opened.queue(0), "taken");
        opened.commit(taken);
        assertThat(taken.isCommitted()).isTrue();
        HandDriven again = HandDriven.open(full.kill());
        assertThat(again.bodies(0)).endsWith("taken").hasSize(store.bodies(0).size() + 1);
        assertThat(again.parts.applied().get().term()).isEqualTo(3);
    }

    @Test
    void aFailedForceStillFencesForGood() {
        HandDriven store = HandDriven.open(storage);
        store.run();
        storage.forcesUntilFailure = 0;
        TestUnit unit = TestUnit.message(store.queue(0), "lost");
        store.commit(unit);
        assertThat(unit.failure.kind()).isEqualTo(Kind.FENCED);
    }

    @Test
    void messagesThatFindRoomInTheLogFindItInTheIndexToo() {
        HandDriven store = HandDriven.open(storage);
        int stored = 0;
        for (; stored < 63; stored++) {
            store.commit(TestUnit.message(store.queue(0), "x"));
        }
        storage.capacityBytes = 0;
        TestUnit unit = TestUnit.message(store.queue(0), "x");
        store.commit(unit);
        while (unit.isCommitted()) {
            stored++;
            unit = TestUnit.message(store.queue(0), "x");
            store.commit(unit);
        }
        assertThat(stored).as("more than a page of the index").isGreaterThan(63);
        assertThat(unit.failure.kind()).isEqualTo(Kind.FULL);
        assertThat(store.faults).isEmpty();
        assertThat(store.bodies(0)).hasSize(stored);
    }

    @Test
    void aStoreInMemoryModeAllocatesAheadOnceTheDeviceFillsUp() {
        HandDriven store = HandDriven.open(storage, HandDriven.settings().withDurability(Durability.MEMORY));
        store.run();
        fillTo(store, 85);
        while (store.parts.marks().appended() < SEGMENT) {
            store.commit(TestUnit.ofBytes(store.queue(0), 500));
        }
        fillTo(store, 96);
        storage.capacityBytes = 0;
        TestUnit state = TestUnit.state(1, "offset");
        store.commit(TestUnit.message(store.queue(0), "refused"), state);
        assertThat(state.isCommitted()).isTrue();
        assertThat(store.faults).isEmpty();
    }

    @Test
    void aFastWriterIsStoppedAtTheLimitAndAtTheMarginBetweenTwoLooks() {
        HandDriven store = HandDriven.open(storage);
        store.parts.disk().setPolicy(queue -> queue.queueId() == 1);
        storage.capacityBytes = 4_000_000;
        storage.otherBytes = 3_500_000;
        store.time.advance(Duration.ofSeconds(1));
        store.run();
        assertThat(store.parts.disk().status().state()).isEqualTo(State.WARNING);

        assertThat(bytesTaken(store, 0)).isBetween(50_000, 105_000);
        assertThat(store.parts.disk().status().state()).isEqualTo(State.FULL);
        assertThat(store.parts.disk().status().marginOpen()).isTrue();
        assertThat(bytesTaken(store, 1)).isBetween(150_000, 210_000);
        assertThat(store.parts.disk().status().marginOpen()).isFalse();
    }

    /** Sends to a queue until it is refused. */
    private static int bytesTaken(HandDriven store, int queueId) {
        for (int taken = 0; taken < 1_000_000; taken += 1_000) {
            TestUnit unit = TestUnit.ofBytes(store.queue(queueId), 900);
            store.commit(unit);
            if (!unit.isCommitted()) {
                assertThat(unit.failure.kind()).isEqualTo(Kind.FULL);
                return taken;
            }
        }
        return Integer.MAX_VALUE;
    }

    @Test
    void aUnitThatMakesRoomIsLetInBeyondTheMargin() {
        HandDriven store = HandDriven.open(storage);
        fillTo(store, 97);
        TestUnit unit = makesRoom(store, 100);
        store.commit(unit, TestUnit.ofBytes(store.queue(0), 100));

        assertThat(unit.isCommitted()).isTrue();
        assertThat(store.bodies(0)).hasSize(1);
    }

    @Test
    void unitsThatMakeRoomLeavePreparedBytesForStateChanges() {
        leavesPreparedBytes(store -> makesRoom(store, 100));
    }

    @Test
    void stateChangesThatMakeRoomLeavePreparedBytesForTheOthers() {
        leavesPreparedBytes(store -> TestUnit.roomMaking().andState(1, "x".repeat(100)));
    }

    private void leavesPreparedBytes(Function<HandDriven, TestUnit> makingRoom) {
        HandDriven store = HandDriven.open(storage);
        store.run();
        storage.capacityBytes = 0;
        TestUnit refused = TestUnit.ofBytes(store.queue(0), SEGMENT - 1_000);
        store.commit(refused);
        assertThat(refused.failure.kind()).isEqualTo(Kind.FULL);

        TestUnit unit;
        int stored = -1;
        do {
            store.time.advance(Duration.ofSeconds(1));
            store.run();
            unit = makingRoom.apply(store);
            store.commit(unit);
            stored++;
        } while (unit.isCommitted() && stored < 1_000);

        assertThat(stored).isBetween(1, 999);
        assertThat(unit.failure.kind()).isEqualTo(Kind.FULL);
        TestUnit state = TestUnit.state(1, "x".repeat(1_000));
        store.commit(state);
        assertThat(state.isCommitted()).isTrue();
    }

    @Test
    void aUnitWhoseTopicIsBeingDeletedIsRefusedAndStopsNobody() {
        HandDriven store = HandDriven.open(storage);
        fillTo(store, 97);
        TestUnit lost = new TestUnit() {
            @Override
            public QueueLog queue(int item) {
                throw new StoreException(Kind.DROPPED, "topic=T is being deleted");
            }
        }.andState(1, "with a queue that is gone");
        TestUnit state = TestUnit.state(1, "offset");
        store.commit(lost, state);

        assertThat(lost.failure.kind()).isEqualTo(Kind.DROPPED);
        assertThat(state.isCommitted()).isTrue();
    }

    private static TestUnit makesRoom(HandDriven store, int bodyBytes) {
        return TestUnit.roomMaking().and(store.queue(0), "x".repeat(bodyBytes), "");
    }

    /** Lets others use so much of the device that the given part is used, and the guard look. */
    private void fillTo(HandDriven store, int percent) {
        storage.capacityBytes = 100 * 1_000_000;
        storage.otherBytes = percent * 1_000_000L + 300_000;
        store.time.advance(Duration.ofSeconds(1));
        store.run();
    }
}
