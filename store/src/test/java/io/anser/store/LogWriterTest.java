package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.store.file.FaultyStorage;
import io.anser.store.file.StoreException;
import io.anser.store.log.AppendSettings;
import io.anser.store.queue.QueueLog;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Writer, flusher and committer, run by hand. */
class LogWriterTest {
    private final FaultyStorage storage = new FaultyStorage();

    @Test
    void nothingIsShownOrAcknowledgedBeforeTheForce() {
        HandDriven store = HandDriven.open(storage);
        TestUnit unit = TestUnit.message(store.queue(0), "body");
        store.parts.pipeline().append(unit);

        assertThat(store.parts.pipeline().runWriter()).isTrue();
        assertThat(store.parts.marks().appended())
                .isGreaterThan(store.parts.marks().forced());
        assertThat(unit.commits).isZero();
        assertThat(store.queue(0).maxOffset()).isZero();

        assertThat(store.parts.pipeline().runFlusher()).isTrue();
        assertThat(unit.commits).isEqualTo(1);
        assertThat(store.queue(0).maxOffset()).isEqualTo(1);
        assertThat(store.parts.marks().committed())
                .isEqualTo(store.parts.marks().appended());
    }

    @Test
    void whatWaitsBecomesOneRecord() {
        HandDriven store = HandDriven.open(storage);
        long index = store.parts.applied().get().index();
        store.commit(
                TestUnit.message(store.queue(0), "a"), TestUnit.message(store.queue(1), "b"), TestUnit.state(1, "c"));
        assertThat(store.parts.applied().get().index()).isEqualTo(index + 1);
    }

    @Test
    void positionsOfItemsAreWhereTheirBytesAre() {
        HandDriven store = HandDriven.open(storage);
        TestUnit unit = new TestUnit()
                .andState(5, "state")
                .and(store.queue(0), "first", "")
                .and(store.queue(1), "second", "");
        store.commit(unit);

        assertThat(unit.position(1)).isEqualTo(unit.position(0) + 15);
        for (int item = 1; item <= 2; item++) {
            ByteBuffer bytes = store.parts.log().slice(unit.position(item), unit.bytes(item));
            assertThat(bytes.getLong(28)).as("physical offset").isEqualTo(unit.position(item));
            assertThat(bytes.getLong(20)).as("queue offset").isZero();
        }
    }

    @Test
    void aFailedForceFencesForGood() {
        HandDriven store = HandDriven.open(storage);
        TestUnit before = TestUnit.message(store.queue(0), "before");
        store.commit(before);
        storage.forcesUntilFailure = 0;
        TestUnit during = TestUnit.message(store.queue(0), "during");
        store.commit(during);

        assertThat(before.isCommitted()).isTrue();
        assertThat(during.commits).isZero();
        assertThat(during.failure.kind()).isEqualTo(StoreException.Kind.FENCED);
        assertThat(during.failure).hasMessageContaining("forcing memory:log/00000000000000000000 failed");
        assertThat(store.queue(0).maxOffset()).isEqualTo(1);
        assertThat(store.faults).hasSize(1).first().asString().startsWith("log-flusher: forcing memory:log/");
        // The device "works" again. That proves nothing about the bytes it dropped.
        assertThatThrownBy(() -> store.parts.pipeline().append(TestUnit.message(store.queue(0), "after")))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.FENCED));
        assertThat(store.bodies(0)).containsExactly("before");
    }

    @Test
    void aFailedWriteFailsEverythingThatWaits() {
        HandDriven store = HandDriven.open(storage);
        TestUnit written = TestUnit.message(store.queue(0), "written");
        store.parts.pipeline().append(written);
        store.parts.pipeline().runWriter();
        storage.writesUntilFailure = 0;
        TestUnit torn = TestUnit.message(store.queue(0), "torn");
        store.parts.pipeline().append(torn);
        store.parts.pipeline().runWriter();
        store.run();

        assertThat(List.of(written, torn))
                .allSatisfy(unit -> assertThat(unit.failure.kind()).isEqualTo(StoreException.Kind.FENCED))
                .allSatisfy(unit -> assertThat(unit.commits).isZero());
        assertThat(store.faults)
                .hasSize(1)
                .first()
                .asString()
                .startsWith("log-writer: writing to memory:log/")
                .contains("failed: injected: no space left on device; the store acknowledges nothing more");
    }

    @Test
    void stateThatCannotApplyFencesTheStore() {
        HandDriven store = HandDriven.open(storage);
        store.state.broken = true;
        TestUnit unit = TestUnit.state(1, "x");
        store.commit(unit);

        assertThat(unit.commits).isZero();
        assertThat(unit.failure.kind()).isEqualTo(StoreException.Kind.FENCED);
        assertThat(unit.failure.getCause()).hasMessage("broken on purpose");
        store.snapshot();
        assertThat(storage.list("snapshot")).as("no snapshot of half a batch").isEmpty();
    }

    @Test
    void aFullQueueAnswersBusyAndTakesAgainAfterTheCommit() {
        StoreSettings settings = HandDriven.settings().withAppends(new AppendSettings(17 << 20, 16, 1 << 20));
        HandDriven store = HandDriven.open(storage, settings);
        List<TestUnit> units = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            units.add(TestUnit.message(store.queue(0), "body"));
            store.parts.pipeline().append(units.get(i));
        }
        TestUnit refused = TestUnit.message(store.queue(0), "one too many");

        store.parts.pipeline().runWriter(); // written, but without an outcome yet: it still counts
        assertThatThrownBy(() -> store.parts.pipeline().append(refused))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.BUSY))
                .hasMessageContaining("appends waiting=17 limit=16");
        store.run();
        assertThat(units).allMatch(TestUnit::isCommitted);
        assertThat(refused.commits).isZero();
        assertThat(refused.failure).isNull();
        store.commit(TestUnit.message(store.queue(0), "again"));
        assertThat(store.queue(0).maxOffset()).isEqualTo(17);
    }

    @Test
    void waitingBytesAreBoundedToo() {
        StoreSettings settings = HandDriven.settings().withAppends(new AppendSettings(17 << 20, 1024, 1_000));
        HandDriven store = HandDriven.open(storage, settings);
        TestUnit large = TestUnit.ofBytes(store.queue(0), 2_000);
        store.parts.pipeline().append(large); // alone it is taken, however small the bound
        assertThatThrownBy(() -> store.parts.pipeline().append(TestUnit.message(store.queue(0), "small")))
                .hasMessageContaining("limit=1000");
        store.run();
        assertThat(large.isCommitted()).isTrue();
    }

    @Test
    void aUnitThatCannotBeEncodedFailsAloneAndTakesNoOffset() {
        HandDriven store = HandDriven.open(storage);
        TestUnit before = TestUnit.message(store.queue(0), "before");
        TestUnit throwing = new TestUnit() {
            @Override
            public void encode(int item, ByteBuffer target) {
                target.putInt(1);
                throw new IllegalStateException("cannot encode");
            }
        }.and(store.queue(0), "bad", "");
        TestUnit tooShort = new TestUnit() {
            @Override
            public void encode(int item, ByteBuffer target) {
                target.putInt(1);
            }
        }.and(store.queue(0), "bad", "");
        TestUnit wrongQueue = new TestUnit() {
            @Override
            public QueueLog queue(int item) {
                return store.queue(1);
            }
        }.and(store.queue(0), "bad", "");
        TestUnit after = TestUnit.message(store.queue(0), "after");
        store.commit(before, throwing, tooShort, wrongQueue, after);

        assertThat(List.of(throwing, tooShort, wrongQueue))
                .allSatisfy(unit -> assertThat(unit.failure.kind()).isEqualTo(StoreException.Kind.REFUSED));
        assertThat(before.isCommitted()).isTrue();
        assertThat(after.isCommitted()).isTrue();
        assertThat(after.queueOffset(0)).isEqualTo(1);
        assertThat(HandDriven.open(storage.kill()).bodies(0)).containsExactly("before", "after");
    }

    @Test
    void anErrorInTheMiddleOfAUnitLeavesNoHalfUnitInTheLog() {
        HandDriven store = HandDriven.open(storage);
        TestUnit before = TestUnit.message(store.queue(0), "before");
        store.commit(before);
        TestUnit breaking = new TestUnit() {
            @Override
            public void encode(int item, ByteBuffer target) {
                target.putInt(1);
                throw new AssertionError("broken on purpose");
            }
        }.and(store.queue(0), "half", "");
        TestUnit waiting = TestUnit.message(store.queue(0), "waiting");
        store.commit(breaking, waiting);

        assertThat(List.of(breaking, waiting))
                .allSatisfy(unit -> assertThat(unit.failure.kind()).isEqualTo(StoreException.Kind.FENCED));
        assertThat(HandDriven.open(storage.kill()).bodies(0)).containsExactly("before");
    }

    @Test
    void aFencedStoreTakesNoSnapshotOfHalfAppliedState() {
        HandDriven store = HandDriven.open(storage);
        TestUnit applied = TestUnit.message(store.queue(0), "applied");
        TestUnit breaking = TestUnit.state(1, "x");
        store.state.broken = true;
        store.commit(applied, breaking);
        store.snapshot();

        assertThat(applied.failure.kind()).isEqualTo(StoreException.Kind.FENCED);
        assertThat(storage.list("snapshot")).isEmpty();
        assertThat(HandDriven.open(storage.kill()).bodies(0)).containsExactly("applied");
    }

    @Test
    void aBatchOfOnlyBadUnitsWritesNothing() {
        HandDriven store = HandDriven.open(storage);
        long before = store.parts.marks().appended();
        TestUnit bad = new TestUnit() {
            @Override
            public void encode(int item, ByteBuffer target) {
                throw new IllegalStateException("cannot encode");
            }
        }.and(store.queue(0), "bad", "");
        store.commit(bad);

        assertThat(bad.failure.kind()).isEqualTo(StoreException.Kind.REFUSED);
        assertThat(store.parts.marks().appended()).isEqualTo(before);
    }

    @Test
    void anErrorInOneSendersCodeNeitherStopsTheOthersNorTellsAnybodyTwice() {
        HandDriven store = HandDriven.open(storage);
        TestUnit first = TestUnit.message(store.queue(0), "first");
        TestUnit breaking = new TestUnit() {
            @Override
            public void committed() {
                super.committed();
                throw new AssertionError("broken on purpose");
            }
        }.and(store.queue(0), "breaking", "");
        TestUnit last = TestUnit.message(store.queue(0), "last");
        store.commit(first, breaking, last);

        assertThat(List.of(first, breaking, last)).allMatch(TestUnit::isCommitted);
        assertThat(store.faults).containsExactly("committer: broken on purpose");
        TestUnit next = TestUnit.message(store.queue(0), "next");
        store.commit(next);
        assertThat(next.isCommitted()).isTrue();
    }

    @Test
    void aCopyIsTakenThoughItIsLargerThanAnyMessageMayBe() {
        HandDriven store =
                HandDriven.open(storage, HandDriven.settings().withAppends(new AppendSettings(4096, 16, 1 << 20)));
        TestUnit copy = TestUnit.roomMaking().andState(1, "x".repeat(4096));
        store.commit(copy);

        assertThat(copy.isCommitted()).isTrue();
        assertThatThrownBy(() -> store.commit(TestUnit.state(1, "x".repeat(4096))))
                .hasMessage("unit bytes=4106 exceed the limit=4096");
    }

    @Test
    void theLargestMessageThatASegmentTakesLeavesRoomForItsCopy() {
        HandDriven store = HandDriven.open(storage);
        int largest = 0;
        for (int bytes = HandDriven.SEGMENT_BYTES; largest == 0; bytes--) {
            try {
                store.commit(TestUnit.state(1, "x".repeat(bytes)));
                largest = bytes;
            } catch (StoreException larger) {
                assertThat(larger).hasMessageContaining("exceed the limit");
            }
        }
        TestUnit copy = TestUnit.roomMaking().andState(1, "x".repeat(largest + 200));
        store.commit(copy);

        assertThat(copy.isCommitted()).isTrue();
    }
}
