package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.file.FaultyStorage.Operation;
import io.anser.store.file.FaultyStorage.Verdict;
import io.anser.store.snapshot.SnapshotStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** After a failed force of the index, or of its folder, a store goes on without snapshots, and says so. */
class StoppedSnapshotsTest extends RetainingStore {
    private static final int PAGE_AND_MORE = 70;

    private void failForces(Operation kind) {
        append("T", PAGE_AND_MORE);
        store.storage.interceptor = (operation, file) -> operation == kind && file.startsWith("index")
                ? Verdict.fail(0, "the test's device fails")
                : Verdict.PASS;
        store.snapshot();
        store.storage.interceptor = (operation, file) -> Verdict.PASS;
    }

    private static SnapshotStatus status(HandDriven store) {
        return store.parts.snapshotter().status();
    }

    @ParameterizedTest
    @EnumSource(names = {"FORCE", "FORCE_DIRECTORY"})
    void thatItTakesNoSnapshotIsToldOnceAndShown(Operation failing) {
        append("T", 1);
        store.snapshot();
        long position = status(store).position();
        assertThat(status(store)).isEqualTo(new SnapshotStatus(position, false, ""));
        assertThat(position).isPositive();

        failForces(failing);

        assertThat(store.faults)
                .singleElement()
                .asString()
                .startsWith("worker-snapshot: flushing the queue index failed, no snapshot is taken")
                .endsWith("the test's device fails");
        for (int more = 0; more < 3; more++) {
            append("T", PAGE_AND_MORE);
            store.snapshot();
        }
        assertThat(store.faults).hasSize(1);
        assertThat(status(store).position()).isEqualTo(position);
        assertThat(status(store).stopped()).isTrue();
        assertThat(status(store).problem()).contains("the test's device fails");
    }

    @Test
    void aCleanStopSavesTheKeysAndTheNextStartHasEverything() {
        failForces(Operation.FORCE);
        store.commit(new TestUnit().and(queue("T"), "body", "", "key"));

        store.parts.finish();

        assertThat(store.storage.list("index")).anyMatch(name -> name.matches("keys-\\d{20}-\\d{20}"));
        reopen(store.storage.kill());
        assertThat(offsets(queue("T"))).hasSize(PAGE_AND_MORE + 1);
        assertThat(status(store).stopped()).isFalse();
        store.snapshot();
        assertThat(status(store).position()).isPositive();
    }

    @Test
    void segmentsThatCannotGoWithoutSnapshotsSayWhy() {
        failForces(Operation.FORCE);
        append("T", 200);

        retain(hours(1));

        assertThat(minPosition()).isZero();
        assertThat(store.parts.retention().status().heldBy())
                .isEqualTo("no snapshot is taken until the store is opened again");
    }

    @Test
    void aSnapshotThatFailsForAnotherReasonIsShownUntilOneSucceeds() {
        append("T", 1);
        store.storage.interceptor = (operation, file) -> file.startsWith("snapshot") && operation == Operation.RENAME
                ? Verdict.fail(0, "the test's device fails")
                : Verdict.PASS;
        store.snapshot();
        assertThat(status(store)).isEqualTo(new SnapshotStatus(0, false, "the test's device fails"));

        store.storage.interceptor = (operation, file) -> Verdict.PASS;
        store.snapshot();
        assertThat(status(store).problem()).isEmpty();
        assertThat(status(store).position()).isPositive();
    }
}
