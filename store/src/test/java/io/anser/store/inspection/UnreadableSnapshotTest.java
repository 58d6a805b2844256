package io.anser.store.inspection;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.HandDriven;
import io.anser.store.OpenedStore;
import io.anser.store.RecordingState;
import io.anser.store.StoreSettings;
import io.anser.store.file.FaultyStorage;
import io.anser.store.file.FaultyStorage.Operation;
import io.anser.store.file.FaultyStorage.Verdict;
import io.anser.store.inspection.CheckReport.SnapshotState;
import io.anser.store.log.OlderLog;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A snapshot that the device does not give, when a store is looked at. */
class UnreadableSnapshotTest {
    private static final int SEGMENT_BYTES = 16 << 10;

    private FaultyStorage storage = new FaultyStorage();

    /** A life of the store, which begins with a record and ends with a snapshot. */
    private void live() throws IOException {
        storage = storage.kill();
        OpenedStore.open(
                        StoreSettings.defaults().withSegmentBytes(SEGMENT_BYTES),
                        storage,
                        SEGMENT_BYTES,
                        new RecordingState(),
                        (queue, from, until) -> {},
                        new VirtualTime(),
                        Runnable::run,
                        (where, cause) -> {
                            throw new AssertionError(where, cause);
                        })
                .finish();
    }

    @ParameterizedTest
    @EnumSource(names = {"OPEN", "READ"})
    void isReportedAndTheCheckGoesOn(Operation failing) throws IOException {
        HandDriven.quietRecovery();
        live();
        live();
        List<String> names = storage.list("snapshot").stream()
                .filter(name -> name.matches("\\d+"))
                .toList();
        assertThat(names).hasSize(2);
        String older = names.get(0);
        String newer = names.get(1);

        assertThat(check("", failing).isSound()).isTrue();
        CheckReport olderOne = check(older, failing);
        CheckReport newerOne = check(newer, failing);

        assertThat(olderOne.isSound()).isFalse();
        assertThat(olderOne.records()).isEqualTo(2);
        assertThat(olderOne.snapshots())
                .containsExactly(
                        new SnapshotState(Long.parseLong(newer), ""),
                        new SnapshotState(Long.parseLong(older), "unreadable: injected: input/output error"));
        assertThat(newerOne.snapshots())
                .containsExactly(
                        new SnapshotState(Long.parseLong(newer), "unreadable: injected: input/output error"),
                        new SnapshotState(Long.parseLong(older), ""));
    }

    private CheckReport check(String unreadable, Operation failing) throws IOException {
        FaultyStorage device = storage.kill();
        device.interceptor = (operation, file) -> operation == failing && file.equals("snapshot/" + unreadable)
                ? Verdict.fail(0, "injected: input/output error")
                : Verdict.PASS;
        try (OfflineStore store = OfflineStore.open(Path.of("memory"), device, OlderLog.NONE, () -> {})) {
            return store.check((kind, payload) -> "");
        }
    }
}
