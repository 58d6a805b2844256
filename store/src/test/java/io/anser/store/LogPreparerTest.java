package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.store.file.FaultyStorage;
import io.anser.store.file.FaultyStorage.Operation;
import io.anser.store.file.FaultyStorage.Verdict;
import io.anser.store.file.NoSpaceException;
import io.anser.store.file.StoreException;
import io.anser.store.file.StoreException.Kind;
import io.anser.store.queue.PageFile;
import io.anser.system.Threads;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Bytes of the log are there before they are needed. */
class LogPreparerTest {
    private static final int SEGMENT = HandDriven.SEGMENT_BYTES;
    private static final int CHUNK = SEGMENT / 4;
    private static final String SECOND_SEGMENT = "log/00000000000000016384";

    private final FaultyStorage storage = new FaultyStorage();

    @Test
    void anAppendFindsItsBytesAllocatedAndTheNextSegmentThere() {
        HandDriven store = HandDriven.open(storage);
        store.run();
        for (int i = 0; i < 100; i++) {
            long before = logBytes();
            TestUnit unit = TestUnit.ofBytes(store.queue(0), 500);
            store.parts.pipeline().append(unit);
            store.parts.pipeline().runWriter();
            store.parts.pipeline().runFlusher();
            assertThat(unit.isCommitted()).isTrue();
            assertThat(logBytes()).as("append %d grows no segment", i).isEqualTo(before);
            store.run();
        }
        long ahead = storage.list("log").size() * (long) SEGMENT
                - store.parts.marks().appended();
        assertThat(ahead).isBetween((long) CHUNK, (long) SEGMENT + CHUNK);
    }

    private long logBytes() {
        return storage.list("log").stream()
                .mapToLong(name -> storage.size("log/" + name))
                .sum();
    }

    @Test
    void theWriterPreparesForItselfWhereNobodyHas() {
        HandDriven store = HandDriven.open(storage);
        for (int i = 0; i < 100; i++) {
            TestUnit unit = TestUnit.ofBytes(store.queue(0), 500);
            store.parts.pipeline().append(unit);
            store.parts.pipeline().runWriter();
            store.parts.pipeline().runFlusher();
            assertThat(unit.isCommitted()).isTrue();
        }
        assertThat(HandDriven.open(storage.kill()).bodies(0)).hasSize(100);
    }

    @Test
    void whoReadsTheLogDoesNotWaitForAPieceOfItThatIsBeingAllocated() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "mapped when the file was shorter"));
        store.parts.pipeline().append(TestUnit.ofBytes(store.queue(0), 5_000));
        store.parts.pipeline().runWriter();
        AtomicInteger readBytes = new AtomicInteger();
        AtomicInteger readMeanwhile = new AtomicInteger();
        storage.interceptor = (operation, file) -> {
            if (operation == Operation.WRITE && file.startsWith("log/")) {
                storage.interceptor = (others, names) -> Verdict.PASS;
                awaitEnd(Threads.start(
                        "reader",
                        () -> readBytes.set(
                                store.parts.log().readable(0, SEGMENT).remaining()),
                        (where, cause) -> {}));
                readMeanwhile.set(readBytes.get());
            }
            return Verdict.PASS;
        };

        store.parts.pipeline().runPreparer();

        assertThat(readMeanwhile).as("bytes read while others were allocated").hasValueGreaterThan(2 * CHUNK);
    }

    private static void awaitEnd(Thread thread) {
        try {
            thread.join(10_000);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aLogThatWasReplacedUnderTheStoreIsNoticedAtTheNextLookAndFencesIt() throws IOException {
        VirtualTime time = new VirtualTime();
        HandDriven store = HandDriven.open(storage, time);
        store.commit(TestUnit.message(store.queue(0), "kept"));
        storage.rename("log/00000000000000000000", "log.moved/00000000000000000000");
        storage.open("log/00000000000000000000").close();

        time.advance(Duration.ofSeconds(1));
        store.run();

        assertThat(store.faults)
                .containsExactly("log-preparer: the log is not where it was: memory:log/00000000000000000000 was"
                        + " removed or replaced; the store acknowledges nothing more until it has been restarted");
        TestUnit late = TestUnit.message(store.queue(0), "late");
        assertThatThrownBy(() -> store.commit(late))
                .isInstanceOf(StoreException.class)
                .extracting("kind")
                .isEqualTo(Kind.FENCED);
    }

    @Test
    void aLookAsksForAFewSegmentsAtMost() {
        VirtualTime time = new VirtualTime();
        HandDriven store = HandDriven.open(storage, time);
        while (storage.list("log").size() < 150) {
            store.commit(TestUnit.ofBytes(store.queue(0), 15_000));
        }
        time.advance(Duration.ofSeconds(1));
        storage.placesAsked = 0;

        store.run();

        assertThat(storage.placesAsked).isBetween(64, 70);
    }

    @Test
    void aSegmentThatTheStoreItselfRemovesMeanwhileIsNoHarm() {
        VirtualTime time = new VirtualTime();
        HandDriven store = HandDriven.open(storage, time);
        while (storage.list("log").size() < 4) {
            store.commit(TestUnit.ofBytes(store.queue(0), 5_000));
        }
        storage.interceptor = (operation, file) -> {
            if (operation == Operation.FORCE_DIRECTORY && file.equals("log")) {
                time.advance(Duration.ofSeconds(1));
                store.parts.pipeline().runPreparer(); // between the removal of a file and the end of the segment
            }
            return Verdict.PASS;
        };

        long min = store.parts.log().minPosition();
        removeBefore(store, 2L * SEGMENT);

        assertThat(store.parts.log().minPosition()).isEqualTo(min + 2L * SEGMENT);
        assertThat(store.faults).isEmpty();
    }

    private static void removeBefore(HandDriven store, long position) {
        try {
            store.parts.log().removeBefore(position);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void noSegmentIsMadeInAFolderThatIsSomebodyElsesNow() throws IOException {
        HandDriven store = HandDriven.open(storage);
        TestUnit unit = TestUnit.ofBytes(store.queue(0), 500);
        storage.rename("log/00000000000000000000", "log.moved/00000000000000000000");

        while (store.faults.isEmpty()) {
            unit = TestUnit.ofBytes(store.queue(0), 500);
            store.parts.pipeline().append(unit);
            store.parts.pipeline().runWriter();
            store.parts.pipeline().runFlusher();
        }

        assertThat(unit.failure.kind()).isEqualTo(Kind.FENCED);
        assertThat(storage.list("log")).isEmpty();
    }

    @Test
    void aRestartKeepsWhatIsPreparedAndGoesOnWhereTheLogEnds() {
        HandDriven store = HandDriven.open(storage);
        while (storage.list("log").size() < 2) {
            store.commit(TestUnit.ofBytes(store.queue(0), 500));
        }
        assertThat(store.parts.marks().appended()).isLessThan(SEGMENT);
        FaultyStorage killed = storage.kill();
        long used = logBytes(killed);

        HandDriven opened = HandDriven.open(killed);

        assertThat(killed.exists(SECOND_SEGMENT)).isTrue();
        assertThat(logBytes(killed)).as("nothing was cut").isEqualTo(used);
        assertThat(opened.parts.marks().appended()).isLessThan(SEGMENT);
        int before = opened.bodies(0).size();
        while (opened.parts.marks().appended() < SEGMENT) {
            opened.commit(TestUnit.ofBytes(opened.queue(0), 500));
        }
        assertThat(HandDriven.open(killed.kill()).bodies(0)).hasSizeGreaterThan(before);
    }

    @Test
    void aForceThatFailsWhilePreparingFencesForItMayHaveBeenForAcknowledgedBytes() {
        HandDriven store = HandDriven.open(storage);
        storage.forcesUntilFailure = 0;
        store.parts.pipeline().runPreparer();
        store.parts.pipeline().runPreparer();

        assertThat(store.faults).singleElement().asString().startsWith("log-preparer: preparing memory:log/");
        assertThatThrownBy(() -> store.commit(TestUnit.message(store.queue(0), "x")))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.FENCED));
    }

    @Test
    void aWaitingIndexPageThatCannotBeWrittenIsNamed() {
        VirtualTime time = new VirtualTime();
        HandDriven store = HandDriven.open(storage, time);
        storage.interceptor = (operation, file) -> operation == Operation.WRITE && file.startsWith("index/")
                ? new Verdict(0, new NoSpaceException("the test's device is full"), false)
                : Verdict.PASS;
        for (int message = 0; message <= PageFile.SLOTS; message++) {
            store.commit(TestUnit.message(store.queue(0), "x"));
        }
        storage.interceptor = (operation, file) -> operation == Operation.WRITE && file.startsWith("index/")
                ? Verdict.fail(0, "the test's device fails")
                : Verdict.PASS;
        time.advance(Duration.ofSeconds(1));
        store.run();

        assertThat(store.faults)
                .singleElement()
                .asString()
                .startsWith(
                        "log-preparer: writing the index pages that waited for room failed: cannot write page 0 of ")
                .contains("the test's device fails");
    }

    private static long logBytes(FaultyStorage of) {
        return of.list("log").stream().mapToLong(name -> of.size("log/" + name)).sum();
    }
}
