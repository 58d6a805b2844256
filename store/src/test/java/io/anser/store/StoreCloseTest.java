package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.store.file.FaultyStorage;
import io.anser.store.file.FaultyStorage.Verdict;
import io.anser.store.file.FileSystemStorage;
import io.anser.store.file.StoreException;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever frees the directory cannot write to it any more. */
class StoreCloseTest {
    @TempDir
    private Path directory;

    private final List<String> faults = new ArrayList<>();

    /** A worker whose tasks the test runs, and that never says that it has ended. */
    private static final class HangingWorker extends AbstractExecutorService {
        private final List<Runnable> tasks = new ArrayList<>();
        private boolean shutdown;

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return false;
        }

        @Override
        public void shutdown() {
            shutdown = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isShutdown() {
            return shutdown;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }
    }

    /** Names, sizes and times of all files. */
    private Map<String, String> contents() {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                contents.put(path.toString(), Files.size(path) + " " + Files.getLastModifiedTime(path));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return contents;
    }

    @Test
    void aWorkerThatOutlastsTheCloseCanWriteNothingOnceTheDirectoryIsFree() throws IOException {
        HangingWorker worker = new HangingWorker();
        Map<String, String> whenFreed = new TreeMap<>();
        StoreParts parts = StoreParts.open(new StoreSurroundings(
                HandDriven.settings(),
                new FileSystemStorage(directory),
                Optional.empty(),
                HandDriven.SEGMENT_BYTES,
                new RecordingState(),
                (queue, from, until) -> {},
                new VirtualTime(),
                worker,
                (where, cause) -> faults.add(where + ": " + cause.getMessage())));
        MessageStore store = new MessageStore(parts, worker, () -> whenFreed.putAll(contents()), Optional.empty());
        store.append(TestUnit.message(store.queue("T", 0), "body"));
        parts.snapshotter().request();
        for (int round = 0; round < 3; round++) {
            parts.pipeline().runWriter();
            parts.pipeline().runFlusher();
        }
        assertThat(worker.tasks).isNotEmpty();

        store.close();
        assertThat(whenFreed).isNotEmpty();
        worker.tasks.forEach(Runnable::run);

        assertThat(contents()).isEqualTo(whenFreed);
        assertThat(faults).hasSize(1).allMatch(fault -> fault.startsWith("worker-snapshot: "));
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptedCloseAnswersEveryUnitAndEndsEveryThread(Durability durability) throws InterruptedException {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        MessageStore store = MessageStore.open(
                StoreSettings.defaults()
                        .withDirectory(directory)
                        .withSegmentBytes(64 << 10)
                        .withDurability(durability),
                new RecordingState(),
                (queue, from, until) -> {},
                new VirtualTime(),
                (where, cause) -> {});
        Set<Thread> own = new HashSet<>(Thread.getAllStackTraces().keySet());
        own.removeAll(before);
        own.removeIf(thread -> !thread.getName().startsWith("log-"));
        List<TestUnit> units = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            TestUnit unit = TestUnit.ofBytes(store.queue("T", 0), 1_000);
            units.add(unit);
            store.append(unit);
        }

        Thread.currentThread().interrupt();
        store.close();

        assertThat(Thread.interrupted()).isTrue();
        units.forEach(TestUnit::await);
        assertThat(own).hasSize(3);
        for (Thread thread : own) {
            thread.join(10_000);
            assertThat(thread.isAlive()).as(thread.getName()).isFalse();
        }
    }

    @Test
    void aCleanCloseLeavesNoFileOpen() {
        FaultyStorage storage = filled();
        HandDriven store = HandDriven.open(storage);
        assertThat(storage.openFiles()).isPositive();

        store.parts.finish();

        assertThat(storage.openFiles()).isZero();
    }

    @Test
    void anOpeningThatFailsAnywhereLeavesNoFileOpen() {
        FaultyStorage filled = filled();
        for (FaultyStorage before : List.of(new FaultyStorage(), filled)) {
            int step = 0;
            while (!opensWithAFaultAt(step, before.kill())) {
                step++;
            }
            assertThat(step).as("steps of an opening").isGreaterThan(5);
        }
    }

    /** Whether it opens all the same; checks that nothing is left open where it does not. */
    private static boolean opensWithAFaultAt(int step, FaultyStorage storage) {
        int[] steps = {0};
        storage.interceptor =
                (operation, file) -> steps[0]++ == step ? Verdict.fail(0, "injected at step " + step) : Verdict.PASS;
        try {
            HandDriven.open(storage);
            return !storage.failed;
        } catch (UncheckedIOException | StoreException e) {
            assertThat(storage.openFiles())
                    .as("open files after a fault at step %d", step)
                    .isZero();
            return false;
        }
    }

    private static FaultyStorage filled() {
        FaultyStorage storage = new FaultyStorage();
        HandDriven store = HandDriven.open(storage);
        for (int i = 0; i < 100; i++) {
            store.commit(new TestUnit().and(store.queue(i % 3), "x".repeat(500), "tag", "key-" + i));
        }
        store.parts.finish();
        return storage;
    }

    @Test
    void aRefusedOpeningFreesTheDirectory() throws IOException {
        Files.writeString(directory.resolve("VERSION"), "format 999\nsegment-bytes 65536\n");
        assertThatThrownBy(this::openAndClose).hasMessageContaining("the store has format 999");
        Files.delete(directory.resolve("VERSION"));

        openAndClose();
        assertThat(faults).isEmpty();
    }

    private void openAndClose() {
        MessageStore.open(
                        StoreSettings.defaults().withDirectory(directory).withSegmentBytes(64 << 10),
                        new RecordingState(),
                        (queue, from, until) -> {},
                        new VirtualTime(),
                        (where, cause) -> faults.add(where + ": " + cause))
                .close();
    }
}
