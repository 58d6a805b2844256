package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.protocol.message.MessageView;
import io.anser.store.file.StoreException;
import io.anser.store.inspection.OfflineStore;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.TimeBoundary;
import io.anser.system.VirtualTime;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The whole store with its threads, on real files. */
class MessageStoreTest {
    @TempDir
    private Path directory;

    private final VirtualTime time = new VirtualTime();
    private final List<String> faults = new ArrayList<>();
    private final List<String> arrivals = new ArrayList<>();
    private RecordingState state = new RecordingState();

    private MessageStore open(Durability durability) {
        return open(durability, 64 << 10);
    }

    private MessageStore open(Durability durability, int segmentBytes) {
        state = new RecordingState();
        StoreSettings settings = StoreSettings.defaults()
                .withDirectory(directory)
                .withDurability(durability)
                .withSegmentBytes(segmentBytes);
        return MessageStore.open(
                settings,
                state,
                (queue, from, until) -> arrivals.add(queue + "[" + from + "," + until + ")"),
                time,
                (where, cause) -> faults.add(where + ": " + cause));
    }

    private static TestUnit committed(MessageStore store, TestUnit unit) {
        store.append(unit);
        unit.await();
        assertThat(unit.failure).isNull();
        return unit;
    }

    private static List<String> bodies(MessageStore store, QueueLog queue) {
        List<String> bodies = new ArrayList<>();
        QueueCursor cursor = new QueueCursor();
        MessageView view = new MessageView();
        for (boolean more = cursor.seek(queue, queue.minOffset()); more; more = cursor.next()) {
            ByteBuffer bytes = store.read(cursor.position(), cursor.size());
            view.wrap(bytes, 0);
            assertThat(view.queueOffset()).isEqualTo(cursor.offset());
            bodies.add(RecordingState.body(view));
        }
        return bodies;
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void whatIsCommittedIsReadBackAlsoAfterRestart(Durability durability) {
        try (MessageStore store = open(durability)) {
            QueueLog queue = store.queue("Orders", 2);
            committed(
                    store,
                    new TestUnit()
                            .and(queue, "first", "blue")
                            .andState(7, "seven")
                            .and(queue, "second", ""));
            TestUnit third = committed(store, TestUnit.message(queue, "third"));

            assertThat(third.queueOffset(0)).isEqualTo(2);
            assertThat(third.storeTimestamp()).isEqualTo(1_767_225_600_000L);
            assertThat(bodies(store, queue)).containsExactly("first", "second", "third");
        }
        try (MessageStore store = open(durability)) {
            QueueLog queue = store.find("Orders", 2).orElseThrow();

            assertThat(queue.maxOffset()).isEqualTo(3);
            assertThat(bodies(store, queue)).containsExactly("first", "second", "third");
            assertThat(state.applied)
                    .containsExactly(
                            "message Orders/2#0 first",
                            "state 7 seven",
                            "message Orders/2#1 second",
                            "message Orders/2#2 third");
            assertThat(committed(store, TestUnit.message(queue, "fourth")).queueOffset(0))
                    .isEqualTo(3);
        }
        assertThat(faults).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void theLogRollsThroughManySegmentsAndQueuesKeepTheirOrder(Durability durability) {
        List<TestUnit> units = new ArrayList<>();
        try (MessageStore store = open(durability)) {
            for (int i = 0; i < 2_000; i++) {
                TestUnit unit = TestUnit.message(store.queue("T", i % 3), "body-" + i);
                units.add(unit);
                store.append(unit);
            }
        }
        assertThat(units).allMatch(TestUnit::isCommitted);
        try (MessageStore store = open(durability)) {
            for (int id = 0; id < 3; id++) {
                List<String> expected = new ArrayList<>();
                for (int i = id; i < 2_000; i += 3) {
                    expected.add("body-" + i);
                }
                assertThat(bodies(store, store.find("T", id).orElseThrow())).isEqualTo(expected);
            }
        }
        assertThat(directory.resolve("log/00000000000000065536")).exists();
        assertThat(faults).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void aReaderThatFollowsTheWriterSeesEveryMessageOnceAndInOrder(Durability durability) {
        int messages = 3_000;
        try (MessageStore store = open(durability)) {
            QueueLog queue = store.queue("T", 0);
            CompletableFuture<List<String>> reader =
                    CompletableFuture.supplyAsync(() -> follow(store, queue, messages));
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < messages; i++) {
                expected.add("body-" + i);
                TestUnit unit = TestUnit.message(queue, "body-" + i);
                store.append(unit);
                if (i % 50 == 0) {
                    unit.await(); // many small commits, so that the reader meets every state of a page
                }
            }
            assertThat(reader.orTimeout(60, TimeUnit.SECONDS).join()).isEqualTo(expected);
        }
    }

    private static List<String> follow(MessageStore store, QueueLog queue, int messages) {
        List<String> bodies = new ArrayList<>();
        QueueCursor cursor = new QueueCursor();
        MessageView view = new MessageView();
        while (bodies.size() < messages && !Thread.currentThread().isInterrupted()) {
            if (cursor.next() || cursor.seek(queue, bodies.size())) {
                view.wrap(store.read(cursor.position(), cursor.size()), 0);
                bodies.add(RecordingState.body(view));
            } else {
                Thread.onSpinWait();
            }
        }
        return bodies;
    }

    @Test
    void aUnitLargerThanTheWritersBufferIsStoredBetweenSmallOnes() {
        int segmentBytes = 8 << 20;
        List<String> expected = new ArrayList<>();
        try (MessageStore store = open(Durability.MEMORY, segmentBytes)) {
            QueueLog queue = store.queue("T", 0);
            List<TestUnit> units = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                String body = i % 500 == 250 ? "large".repeat(600_000) : i + "x".repeat(1_000);
                expected.add(body);
                units.add(TestUnit.message(queue, body));
                store.append(units.get(i));
            }
            units.forEach(TestUnit::await);
            assertThat(units).allMatch(TestUnit::isCommitted);
        }
        try (MessageStore store = open(Durability.MEMORY, segmentBytes)) {
            assertThat(bodies(store, store.queue("T", 0)).equals(expected)).isTrue();
        }
    }

    @Test
    void saysWhyADirectoryCannotBeUsed() throws Exception {
        Files.createDirectories(directory.resolve("VERSION"));
        assertThatThrownBy(() -> open(Durability.DISK)).hasMessageEndingWith("VERSION: Is a directory");
    }

    @Test
    void listenersAreToldOncePerQueueAndCommit() {
        try (MessageStore store = open(Durability.DISK)) {
            QueueLog queue = store.queue("T", 0);
            QueueLog other = store.queue("U", 0);
            committed(
                    store,
                    new TestUnit().and(queue, "a", "").and(other, "b", "").and(queue, "c", ""));
        }
        assertThat(arrivals).containsExactly("T/0[0,2)", "U/0[0,1)");
    }

    @Test
    void aMessageIsFoundByItsPositionAndNothingElseIs() {
        try (MessageStore store = open(Durability.DISK)) {
            TestUnit unit = committed(store, TestUnit.message(store.queue("T", 0), "body"));
            long position = unit.position(0);

            Optional<ByteBuffer> found = store.message(position);
            assertThat(found.map(bytes -> RecordingState.body(new MessageView().wrap(bytes, 0))))
                    .contains("body");
            for (long at = -1; at < store.committedPosition() + 200; at++) {
                if (at != position) {
                    assertThat(store.message(at)).as("at %d", at).isEmpty();
                }
            }
        }
    }

    @Test
    void offsetsAreFoundByStoreTime() {
        try (MessageStore store = open(Durability.MEMORY)) {
            QueueLog queue = store.queue("T", 0);
            for (int i = 0; i < 100; i++) {
                committed(store, TestUnit.message(queue, "two at " + i));
                committed(store, TestUnit.message(queue, "the same time"));
                time.advance(Duration.ofMillis(10));
            }
            long start = 1_767_225_600_000L;
            assertThat(queue.offsetByTime(start + 500, TimeBoundary.LOWER)).isEqualTo(100);
            assertThat(queue.offsetByTime(start + 501, TimeBoundary.LOWER)).isEqualTo(102);
            assertThat(queue.offsetByTime(start + 500, TimeBoundary.UPPER)).isEqualTo(101);
            assertThat(queue.offsetByTime(start + 509, TimeBoundary.UPPER)).isEqualTo(101);
            assertThat(queue.offsetByTime(0, TimeBoundary.LOWER)).isZero();
            assertThat(queue.offsetByTime(Long.MAX_VALUE, TimeBoundary.LOWER)).isEqualTo(200);
            assertThat(queue.offsetByTime(Long.MAX_VALUE, TimeBoundary.UPPER)).isEqualTo(199);
        }
    }

    @Test
    void storeTimeNeverGoesBackWithTheClock() {
        try (MessageStore store = open(Durability.DISK)) {
            QueueLog queue = store.queue("T", 0);
            committed(store, TestUnit.message(queue, "a"));
            time.stepWallClock(Duration.ofHours(-1));
            assertThat(committed(store, TestUnit.message(queue, "b")).storeTimestamp())
                    .isEqualTo(1_767_225_600_000L);
        }
        try (MessageStore store = open(Durability.DISK)) {
            TestUnit unit = committed(store, TestUnit.message(store.queue("T", 0), "c"));
            assertThat(unit.storeTimestamp()).isEqualTo(1_767_225_600_000L);
        }
    }

    @Test
    void aSecondStoreInTheSameDirectoryIsRefusedWithTheHoldersName() {
        try (MessageStore store = open(Durability.DISK)) {
            assertThat(store.committedPosition()).isPositive();
            assertThatThrownBy(() -> open(Durability.DISK))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("the store is in use: " + directory.resolve("LOCK"))
                    .hasMessageContaining("pid=" + ProcessHandle.current().pid())
                    .hasMessageContaining("since=2026-01-01T00:00:00Z");
        }
        open(Durability.DISK).close();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aRefusedSecondStoreLeavesTheLockToTheFirst() throws Exception {
        try (MessageStore store = open(Durability.DISK)) {
            assertThat(store.committedPosition()).isPositive();
            Object inode = Files.getAttribute(directory.resolve("LOCK"), "unix:ino");
            assertThatThrownBy(() -> open(Durability.DISK)).isInstanceOf(StoreException.class);
            assertThat(Files.readString(Path.of("/proc/locks"))).contains(":" + inode + " 0 EOF");
        }
    }

    @Test
    void aSegmentTooSmallToHoldAnythingIsRefused() {
        assertThatThrownBy(() -> StoreSettings.defaults().withSegmentBytes(100))
                .hasMessage("segmentBytes=100 is below the least size=4096");
    }

    @Test
    void aNewerFormatIsRefused() throws Exception {
        open(Durability.DISK).close();
        Files.writeString(directory.resolve("VERSION"), "format 4\nsegment-bytes 65536\n");
        assertThatThrownBy(() -> open(Durability.DISK))
                .hasMessageContaining("the store has format 4, this program knows up to 3")
                .hasMessageContaining(directory.resolve("VERSION").toString());
    }

    @Test
    void aStoreOfTheFirstFormatOpensAndIsClosedToProgramsThatWouldLoseSectionsOfItsSnapshots() throws Exception {
        Path version = directory.resolve("VERSION");
        try (MessageStore store = open(Durability.DISK)) {
            committed(store, TestUnit.message(store.queue("T", 0), "kept"));
        }
        String text = Files.readString(version);
        Files.writeString(version, text.replace("format 2", "format 1"));

        OfflineStore.open(directory).close();
        assertThat(version).as("after a look only").content().startsWith("format 1\n");
        try (MessageStore store = open(Durability.DISK)) {
            assertThat(version).hasContent(text);
            assertThat(store.queue("T", 0).maxOffset()).isEqualTo(1);
        }
    }

    @Test
    void appendsAfterCloseAreRefused() {
        MessageStore store = open(Durability.DISK);
        QueueLog queue = store.queue("T", 0);
        store.close();
        assertThatThrownBy(() -> store.append(TestUnit.message(queue, "late")))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.CLOSED));
    }

    @Test
    void aUnitLargerThanTheSegmentIsRefusedAndALargeOneFits() {
        try (MessageStore store = open(Durability.DISK)) {
            QueueLog queue = store.queue("T", 0);
            assertThatThrownBy(() -> store.append(TestUnit.ofBytes(queue, 64 << 10)))
                    .hasMessageContaining("exceed the limit=65200");
            TestUnit large = TestUnit.ofBytes(queue, 60_000);
            committed(store, large);
            assertThat(large.queueOffset(0)).isZero();
        }
    }
}
