package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.SysFlag;
import io.anser.store.adoption.ApacheStore;
import io.anser.store.file.FaultyStorage;
import io.anser.store.file.StoreException;
import io.anser.store.key.KeyQuery;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.store.retention.RetentionPolicy;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Stores of an Apache broker, made by hand, opened by ours over a device in memory. */
class AdoptionTest {
    private static final int SEGMENT_BYTES = 16 << 10;

    static {
        HandDriven.quietRecovery();
    }

    private final ApacheFolder apache = new ApacheFolder();
    private FaultyStorage storage = new FaultyStorage();

    private StoreParts open() throws IOException {
        return open(storage, apache);
    }

    private static StoreParts open(FaultyStorage storage, ApacheFolder apache) throws IOException {
        return StoreParts.open(new StoreSurroundings(
                HandDriven.settings(),
                storage,
                Optional.of(ApacheStore.open(apache)),
                SEGMENT_BYTES,
                new RecordingState(),
                (queue, from, until) -> {},
                new VirtualTime(),
                Runnable::run,
                (where, cause) -> {
                    if (!storage.failed) {
                        throw new AssertionError(where, cause);
                    } // else the key index tells of the failure that was injected, and tries again later
                }));
    }

    private static void append(StoreParts parts, TestUnit unit) {
        parts.pipeline().append(unit);
        while (parts.pipeline().runWriter() || parts.pipeline().runFlusher()) {
            // each round does what there is
        }
        assertThat(unit.commits).isEqualTo(1);
    }

    /** The readable messages of a queue as {@code offset:body}. */
    private static List<String> read(StoreParts parts, String topic, int queueId) {
        List<String> found = new ArrayList<>();
        QueueLog queue = parts.queues().queue(topic, queueId);
        QueueCursor cursor = new QueueCursor();
        MessageView view = new MessageView();
        for (boolean more = cursor.seek(queue, queue.minOffset()); more; more = cursor.next()) {
            if (cursor.size() == 0) {
                found.add(cursor.offset() + ":lost");
                continue;
            }
            view.wrap(parts.log().slice(cursor.position(), cursor.size()), 0);
            assertThat(view.physicalOffset()).isEqualTo(cursor.position());
            assertThat(view.queueOffset()).isEqualTo(cursor.offset());
            found.add(cursor.offset() + ":" + RecordingState.body(view));
        }
        return found;
    }

    private List<String> fill(String topic, int queueId, int count) {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            apache.message(topic, queueId, "body-" + i);
            expected.add(i + ":body-" + i);
        }
        return expected;
    }

    @Test
    void readsAllMessagesWhereTheyLieAndGoesOnBehindThem() throws IOException {
        List<String> expected = fill("T", 0, 300); // several files, several index pages
        int before = apache.fingerprint();
        long end = (apache.files.size() * (long) ApacheFolder.FILE_BYTES + SEGMENT_BYTES - 1)
                / SEGMENT_BYTES
                * SEGMENT_BYTES;

        StoreParts parts = open();
        assertThat(read(parts, "T", 0)).isEqualTo(expected);
        assertThat(parts.log().minPosition()).isEqualTo(end);

        TestUnit unit = TestUnit.message(parts.queues().queue("T", 0), "new");
        append(parts, unit);
        assertThat(unit.queueOffset(0)).isEqualTo(300);
        assertThat(unit.position(0)).isGreaterThanOrEqualTo(end);
        parts.finish();

        expected.add("300:new");
        StoreParts again = open(storage.kill(), apache);
        assertThat(read(again, "T", 0)).isEqualTo(expected);
        assertThat(apache.fingerprint()).isEqualTo(before);
    }

    @Test
    void theGapBehindAnAdoptedLogDoesNotCountForItsSize() throws IOException {
        List<String> expected = fill("T", 0, 10);
        long real = apache.message("T", 0, "body-10") + 2_000;
        expected.add("10:body-10");
        StoreParts parts = open();
        append(parts, TestUnit.message(parts.queues().queue("T", 0), "new"));
        assertThat(parts.marks().committed()).isGreaterThan(real + 8_000);
        expected.add("11:new");

        retain(parts, new RetentionPolicy(1_000_000, real, Map.of()));
        assertThat(read(parts, "T", 0)).isEqualTo(expected);

        retain(parts, new RetentionPolicy(1_000_000, 1_000, Map.of()));
        assertThat(read(parts, "T", 0)).containsExactly("11:new");
    }

    private static void retain(StoreParts parts, RetentionPolicy policy) {
        parts.retention().retain(0, policy);
        while (parts.pipeline().runWriter() || parts.pipeline().runFlusher()) {
            // each round does what there is
        }
    }

    @Test
    void storeTimesNeverGoBackBehindAnAdoptedLog() throws IOException {
        apache.message("T", 0, "a");
        long last = apache.message("T", 0, "b");

        StoreParts parts = open();
        TestUnit unit = TestUnit.message(parts.queues().queue("T", 0), "new");
        append(parts, unit);

        assertThat(unit.storeTimestamp()).isGreaterThanOrEqualTo(parts.log().storeTimestamp(last));
    }

    @Test
    void keepsOffsetsWhereTheFirstFilesAreMissing() throws IOException {
        ApacheFolder later = new ApacheFolder(40L * ApacheFolder.FILE_BYTES).next("T", 3, 1_000);
        long first = later.message("T", 3, "a");
        later.message("T", 3, "b");

        StoreParts parts = open(storage, later);

        assertThat(read(parts, "T", 3)).containsExactly("1000:a", "1001:b");
        assertThat(parts.queues().queue("T", 3).minOffset()).isEqualTo(1_000);
        assertThat(parts.log().readableFrom()).isEqualTo(first);
        TestUnit unit = TestUnit.message(parts.queues().queue("T", 3), "new");
        append(parts, unit);
        assertThat(unit.queueOffset(0)).isEqualTo(1_002);
    }

    @Test
    void refusesALogWithoutAFileInTheMiddle() {
        fill("T", 0, 300);
        apache.files.remove(String.format("commitlog/%020d", ApacheFolder.FILE_BYTES));

        assertThatThrownBy(this::open)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("apache:commitlog/00000000000000000000 ends at position=8192")
                .hasMessageContaining("starts at 16384");
    }

    @Test
    void stopsAtATornTail() throws IOException {
        List<String> expected = fill("T", 0, 5);
        long torn = apache.message("T", 0, "half written");
        apache.write(apache.end() - 12, new byte[12]);

        StoreParts parts = open();

        assertThat(read(parts, "T", 0)).isEqualTo(expected);
        TestUnit unit = TestUnit.message(parts.queues().queue("T", 0), "new");
        append(parts, unit);
        assertThat(unit.queueOffset(0)).isEqualTo(5);
        assertThat(unit.position(0)).isGreaterThan(torn);
    }

    @Test
    void leavesDamageInTheMiddleOutAndKeepsWhatFollows() throws IOException {
        apache.message("T", 0, "a");
        long bad = apache.message("T", 0, "damaged");
        apache.message("T", 0, "c");
        apache.message("U", 0, "u");
        apache.write(bad + 91, new byte[] {0, 0});

        StoreParts parts = open();

        assertThat(read(parts, "T", 0)).containsExactly("0:a", "1:lost", "2:c");
        assertThat(read(parts, "U", 0)).containsExactly("0:u");
    }

    @Test
    void aTopicThatWasMadeAnewHasOnlyItsNewMessages() throws IOException {
        apache.message("T", 0, "old-0");
        apache.message("T", 0, "old-1");
        apache.next("T", 0, 0);
        apache.message("T", 0, "new-0");

        StoreParts parts = open();

        assertThat(read(parts, "T", 0)).containsExactly("0:new-0");
    }

    @Test
    void preparedAndRolledBackMessagesHaveNoPlaceInAQueue() throws IOException {
        apache.message("T", 0, 0, SysFlag.TRANSACTION_PREPARED, "prepared", "");
        apache.message("T", 0, 0, SysFlag.TRANSACTION_ROLLBACK, "rolled back", "");
        apache.message("T", 0, 0, SysFlag.TRANSACTION_COMMIT, "committed", "");

        assertThat(read(open(), "T", 0)).containsExactly("0:committed");
    }

    @Test
    void rebuildsTheIndexFromBothLogs() throws IOException {
        List<String> expected = fill("T", 0, 200);
        StoreParts parts = open();
        for (int i = 200; i < 300; i++) {
            append(parts, TestUnit.message(parts.queues().queue("T", 0), "body-" + i));
            expected.add(i + ":body-" + i);
        }
        parts.finish();
        storage.truncate("index/queue-pages-0000000000", 1_000);

        assertThat(read(open(), "T", 0)).isEqualTo(expected);
    }

    @Test
    void adoptsAgainWhenNoSnapshotCanBeRead() throws IOException {
        List<String> expected = fill("T", 0, 70);
        StoreParts parts = open();
        append(parts, TestUnit.message(parts.queues().queue("T", 0), "body-70"));
        expected.add("70:body-70");
        storage = storage.kill();
        for (String name : storage.list("snapshot")) {
            storage.delete("snapshot/" + name);
        }

        assertThat(read(open(), "T", 0)).isEqualTo(expected);
    }

    @Test
    void anAdoptionThatIsCutOffStartsOver() throws IOException {
        List<String> expected = fill("T", 0, 200);
        int completed = 0;
        for (int writes = 0; completed == 0; writes++) {
            FaultyStorage device = new FaultyStorage();
            device.writesUntilFailure = writes;
            try {
                open(device, apache);
            } catch (IOException | StoreException e) {
                assertThat(device.failed).isTrue();
            }
            completed = device.failed ? 0 : 1;
            FaultyStorage after = device.losePower(new Random(writes));
            assertThat(read(open(after, apache), "T", 0)).isEqualTo(expected);
        }
    }

    @Test
    void findsAdoptedMessagesByTheirKeys() throws IOException {
        for (int i = 0; i < 200; i++) {
            apache.message(
                    "T", i % 2, "body-" + i, "KEYS\u0001order-" + i + " all\u0002UNIQ_KEY\u0001unique-" + i + "\u0002");
        }
        StoreParts parts = open();
        append(parts, TestUnit.message(parts.queues().queue("T", 0), "new"));

        assertThat(find(parts, "order-7")).containsExactly("body-7");
        assertThat(find(parts, "unique-199")).containsExactly("body-199");
        assertThat(find(parts, "all")).hasSize(64).startsWith("body-199", "body-198");
        assertThat(find(parts, "order-200")).isEmpty();
        parts.keys().stop();
        parts.finish();

        StoreParts again = open(storage.kill(), apache);
        assertThat(find(again, "order-0")).containsExactly("body-0");
        assertThat(again.keys().status().missingBytes()).isZero();
    }

    private static List<String> find(StoreParts parts, String key) {
        List<String> found = new ArrayList<>();
        MessageView view = new MessageView();
        parts.keys()
                .find(new KeyQuery("T", key, false, 0, Long.MAX_VALUE, 64, 1 << 20))
                .forEach(message -> found.add(RecordingState.body(view.wrap(message, 0))));
        return found;
    }
}
