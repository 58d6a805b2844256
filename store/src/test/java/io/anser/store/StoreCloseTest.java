package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.store.file.FaultyStorage;
import io.anser.store.file.FaultyStorage.Verdict;
import io.anser.store.file.FileSystemStorage;
import io.anser.store.file.StoreException;
import io.anser.store.inspection.CheckReport;
import io.anser.store.inspection.OfflineStore;
import io.anser.store.queue.QueueLog;
import io.anser.system.FaultHandler;
import io.anser.system.Threads;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever frees the directory cannot write to it any more. */
class StoreCloseTest {
    @TempDir
    private Path directory;

    private final List<String> faults = Collections.synchronizedList(new ArrayList<>());

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
    void anInterruptedCloseWaitsForEveryThreadAndSavesWhatThereIs(Durability durability) throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        FaultHandler noted = (where, cause) -> faults.add(where + ": " + cause);
        ExecutorService worker = Threads.workers("worker-store", 3, 3, noted);
        StoreParts parts = StoreParts.open(new StoreSurroundings(
                HandDriven.settings().withDurability(durability),
                new FileSystemStorage(directory),
                Optional.empty(),
                HandDriven.SEGMENT_BYTES,
                new RecordingState(),
                (queue, from, until) -> {},
                new VirtualTime(),
                worker,
                noted));
        parts.pipeline().start(noted);
        Set<Thread> own = new HashSet<>(Thread.getAllStackTraces().keySet());
        own.removeAll(before);
        own.removeIf(thread -> !thread.getName().startsWith("log-"));
        assertThat(own).hasSize(3);
        List<Thread> aliveWhenFreed = new ArrayList<>();
        MessageStore store = new MessageStore(
                parts,
                worker,
                () -> own.stream().filter(Thread::isAlive).forEach(aliveWhenFreed::add),
                Optional.empty());
        CountDownLatch goOn = new CountDownLatch(1);
        List<TestUnit> units = new ArrayList<>(List.of(holdingUp(goOn, store.queue("T", 0))));
        for (int i = 0; i < 100; i++) {
            units.add(TestUnit.ofBytes(store.queue("T", 0), 1_000));
        }
        units.forEach(store::append);

        AtomicBoolean flag = new AtomicBoolean();
        Thread closing = Threads.start(
                "closing",
                () -> {
                    Thread.currentThread().interrupt();
                    store.close();
                    flag.set(Thread.interrupted());
                },
                noted);
        while (closing.isAlive() && closing.getState() != Thread.State.WAITING) {
            Thread.onSpinWait(); // until it waits for the threads, or does not
        }
        goOn.countDown();
        closing.join(30_000);

        assertThat(closing.isAlive()).isFalse();
        assertThat(aliveWhenFreed).isEmpty();
        assertThat(flag).as("the caller's interrupt flag").isTrue();
        assertThat(faults).isEmpty();
        units.forEach(unit -> assertThat(unit.isCommitted()).isTrue());
        try (OfflineStore offline = OfflineStore.open(directory)) {
            CheckReport report = offline.check((kind, payload) -> "");
            assertThat(report.messages()).isEqualTo(101);
            assertThat(report.snapshots().get(0).position()).isEqualTo(report.untilPosition());
        }
    }

    /** A message whose commit holds up the committing thread. */
    private static TestUnit holdingUp(CountDownLatch goOn, QueueLog queue) {
        TestUnit unit = new TestUnit() {
            @Override
            public void committed() {
                try {
                    assertThat(goOn.await(30, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                super.committed();
            }
        };
        return unit.and(queue, "body", "");
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
