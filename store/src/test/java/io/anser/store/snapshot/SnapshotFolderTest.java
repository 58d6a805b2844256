package io.anser.store.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.store.file.FaultyStorage;
import io.anser.store.file.FaultyStorage.Operation;
import io.anser.store.file.FaultyStorage.Verdict;
import io.anser.store.file.FileSystemStorage;
import io.anser.store.log.LogPoint;
import io.anser.system.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SnapshotFolderTest {
    private static final String OLDER = "snapshot/00000000000000001000";
    private static final String NEWER = "snapshot/00000000000000002000";

    private final FaultyStorage storage = new FaultyStorage();
    private final SnapshotFolder folder = new SnapshotFolder(storage);

    private static Snapshot snapshot(long position) {
        return new Snapshot(LogPoint.startingAt(position), new TreeMap<>(Map.of("state", ByteBuffer.wrap(new byte[] {
            1, 2, 3
        }))));
    }

    private void fail(Operation failing, String name) {
        storage.interceptor = (operation, file) -> operation == failing && file.equals(name)
                ? Verdict.fail(0, "injected: input/output error")
                : Verdict.PASS;
    }

    @ParameterizedTest
    @EnumSource(names = {"OPEN", "READ"})
    void anOlderSnapshotIsReadOnlyWhenTheNewerOneIsDamaged(Operation failing) throws IOException {
        folder.write(snapshot(1000));
        folder.write(snapshot(2000));

        fail(failing, OLDER);
        assertThat(folder.newest()).map(Snapshot::point).contains(LogPoint.startingAt(2000));

        storage.flip(NEWER, 60, 1);
        assertThatThrownBy(folder::newest).hasMessage("injected: input/output error");
        fail(failing, "none");
        assertThat(folder.newest()).map(Snapshot::point).contains(LogPoint.startingAt(1000));
    }

    @ParameterizedTest
    @EnumSource(names = {"OPEN", "READ"})
    void aNewestSnapshotThatCannotBeReadIsNotPassedOver(Operation failing) throws IOException {
        folder.write(snapshot(1000));
        folder.write(snapshot(2000));
        fail(failing, NEWER);

        assertThatThrownBy(folder::newest).hasMessage("injected: input/output error");
    }

    @Test
    void theFileOfTheNextSnapshotIsMadeAgainWhenItCannotBeOpened() throws IOException {
        folder.write(snapshot(1000));
        assertThat(storage.exists("snapshot/new")).as("room for the next one").isTrue();
        fail(Operation.OPEN, "snapshot/new");

        folder.write(snapshot(2000));

        assertThat(folder.positions()).containsExactly(2000L, 1000L);
    }

    @Test
    void aDeviceThatMakesNoFilesIsReported() throws IOException {
        fail(Operation.CREATE, "snapshot/new");

        assertThatThrownBy(() -> folder.write(snapshot(1000))).hasMessageContaining("injected: input/output error");
        assertThat(folder.positions()).isEmpty();
    }

    @Test
    void aDirectoryInPlaceOfTheNextSnapshotIsOutOfTheWayAfterwards(@TempDir Path data) throws IOException {
        try (FileSystemStorage files = new FileSystemStorage(data)) {
            SnapshotFolder onFiles = new SnapshotFolder(files);
            Files.createDirectories(data.resolve("snapshot/new/somebody's"));
            onFiles.write(snapshot(1000));
            Files.delete(data.resolve("snapshot/new"));
            Files.createDirectories(data.resolve("snapshot/new"));
            onFiles.write(snapshot(2000));
            Files.delete(data.resolve("snapshot/new"));
            Files.createDirectories(data.resolve("snapshot/new/somebody else's"));
            onFiles.write(snapshot(3000));

            assertThat(onFiles.positions()).containsExactly(3000L, 2000L);
        }
        assertThat(data.resolve("snapshot/new.aside-00000000000000000000/somebody's"))
                .exists();
        assertThat(data.resolve("snapshot/new.aside-00000000000000002000/somebody else's"))
                .exists();
    }

    @Test
    void whoLooksAtASnapshotDoesNotMakeItAgainWhileItIsRemoved() throws Exception {
        folder.write(snapshot(1000));
        folder.write(snapshot(2000));
        List<Thread> writer = new ArrayList<>();
        storage.interceptor = (operation, file) -> {
            if (operation == Operation.OPEN && file.equals(OLDER) && writer.isEmpty()) {
                writer.add(Threads.start("writer", this::writeThird, (where, cause) -> {}));
                awaitBlockedOrEnded(writer.get(0));
            }
            return Verdict.PASS;
        };

        folder.firstNeededPosition();
        writer.get(0).join();

        assertThat(folder.positions()).containsExactly(3000L, 2000L);
    }

    private void writeThird() {
        try {
            folder.write(snapshot(3000));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitBlockedOrEnded(Thread thread) {
        while (thread.getState() != Thread.State.BLOCKED && thread.getState() != Thread.State.TERMINATED) {
            Thread.onSpinWait();
        }
    }
}
