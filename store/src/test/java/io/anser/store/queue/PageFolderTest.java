package io.anser.store.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.store.file.FaultyStorage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Which files the index has. */
class PageFolderTest {
    private static final int QUEUES = 10_000;
    private static final int MESSAGE_BYTES = 100;

    private final FaultyStorage storage = new FaultyStorage();

    @Test
    void filesOfExpiredMessagesGoAlsoWithManyQueues() throws IOException {
        try (PageFile pages = PageFile.open(storage, 1 << 26, 0)) {
            QueueRegistry registry = new QueueRegistry(pages, (position, size) -> 0);
            QueueIndexer indexer = new QueueIndexer(registry, pages);
            List<QueueLog> queues = new ArrayList<>();
            for (int id = 0; id < QUEUES; id++) {
                queues.add(registry.queue("T", id));
            }
            long position = 0;
            long cut = 0;
            for (int offset = 0; offset < 5 * PageFile.SLOTS + 1; offset++) {
                cut = offset == 4 * PageFile.SLOTS ? position : cut;
                for (QueueLog queue : queues) {
                    indexer.index(queue, offset, position, MESSAGE_BYTES, 0);
                    position += MESSAGE_BYTES;
                }
            }
            indexer.publish();
            long before = bytes();
            assertThat(before).isEqualTo(5L * QUEUES * PageFile.PAGE_BYTES);

            registry.cuts().show(registry.cuts().now().notBelow(cut));
            queues.forEach(queue -> assertThat(queue.minOffset()).isEqualTo(4 * PageFile.SLOTS));
            pages.removeBefore(cut);

            assertThat(bytes()).isLessThan(before / 2);
            QueueCursor cursor = new QueueCursor();
            for (QueueLog queue : queues) {
                assertThat(cursor.seek(queue, 4 * PageFile.SLOTS)).isTrue();
                assertThat(cursor.position()).isEqualTo(cut + (long) queue.queueId() * MESSAGE_BYTES);
            }
        }
    }

    @Test
    void afterAForceThatFailedNoneSucceeds() throws IOException {
        try (PageFile pages = PageFile.open(storage, 1 << 26, 0)) {
            QueueRegistry registry = new QueueRegistry(pages, (position, size) -> 0);
            QueueIndexer indexer = new QueueIndexer(registry, pages);
            QueueLog queue = registry.queue("T", 0);
            for (int offset = 0; offset <= PageFile.SLOTS; offset++) {
                indexer.index(queue, offset, (long) offset * MESSAGE_BYTES, MESSAGE_BYTES, 0);
            }
            storage.interceptor = (operation, file) -> operation == FaultyStorage.Operation.FORCE_DIRECTORY
                    ? FaultyStorage.Verdict.fail(0, "the test's device fails")
                    : FaultyStorage.Verdict.PASS;
            assertThatThrownBy(pages::force).hasMessage("the test's device fails");

            // The system may have forgotten what it could not write: success would mean nothing any more.
            storage.interceptor = (operation, file) -> FaultyStorage.Verdict.PASS;
            assertThatThrownBy(pages::force).hasMessageContaining("failed before");
        }
    }

    @Test
    void aQueueThatBeginsFarFromZeroNeedsNoMoreMemoryThanOthers() throws IOException {
        try (PageFile pages = PageFile.open(storage, 1 << 30, 0)) {
            QueueRegistry registry = new QueueRegistry(pages, (position, size) -> 0);
            QueueIndexer indexer = new QueueIndexer(registry, pages);
            QueueLog queue = registry.queue("T", 0);
            long first = 1_000_000_000;
            indexer.leaveOut(queue, first, 0);
            for (long offset = first; offset < first + 1_000; offset++) {
                indexer.index(queue, offset, offset, MESSAGE_BYTES, 0);
            }
            indexer.publish();
            assertThat(queue.pages().room()).isLessThan(40);

            ByteArrayOutputStream snapshot = new ByteArrayOutputStream();
            indexer.hold().write(new DataOutputStream(snapshot));
            assertThat(snapshot.size()).isLessThan(2_000);
            pages.force();

            try (PageFile again = PageFile.open(storage, 1 << 30, 0)) {
                QueueRegistry other = new QueueRegistry(again, (position, size) -> 0);
                new QueueIndexer(other, again)
                        .readSnapshot(new DataInputStream(new ByteArrayInputStream(snapshot.toByteArray())));
                QueueLog read = other.find("T", 0).orElseThrow();
                assertThat(read.minOffset()).isEqualTo(first);
                assertThat(read.pages().room()).isLessThan(40);
                QueueCursor cursor = new QueueCursor();
                for (long offset = first; offset < first + 1_000; offset++) {
                    assertThat(cursor.seek(read, offset)).isTrue();
                    assertThat(cursor.position()).isEqualTo(offset);
                }
            }
        }
    }

    @Test
    void aFileThatIsMadeDuringAForceHasItsNameForcedByTheNext() throws IOException {
        try (PageFile pages = PageFile.open(storage, 1 << 20, 0)) {
            QueueRegistry registry = new QueueRegistry(pages, (position, size) -> 0);
            QueueIndexer indexer = new QueueIndexer(registry, pages);
            storage.interceptor = (operation, file) -> {
                if (operation == FaultyStorage.Operation.CREATE) {
                    force(pages);
                }
                return FaultyStorage.Verdict.PASS;
            };
            for (int offset = 0; offset <= PageFile.SLOTS; offset++) {
                indexer.index(registry.queue("T", 0), offset, offset, MESSAGE_BYTES, 0);
            }
            pages.force();

            for (int seed = 0; seed < 20; seed++) {
                assertThat(storage.losePower(new Random(seed)).exists("index/queue-pages-0000000000"))
                        .isTrue();
            }
        }
    }

    private static void force(PageFile pages) {
        try {
            pages.force();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long bytes() {
        return storage.list("index").stream()
                .mapToLong(name -> storage.size("index/" + name))
                .sum();
    }
}
