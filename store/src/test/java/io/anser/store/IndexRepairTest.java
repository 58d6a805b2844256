package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.message.MessageView;
import io.anser.store.adoption.ApacheStore;
import io.anser.store.file.FaultyStorage;
import io.anser.store.file.StoreException;
import io.anser.store.queue.ExpiryCuts;
import io.anser.store.queue.PageFile;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.RetainedMessages;
import io.anser.store.recovery.IndexRepair;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A damaged page of the index becomes again what it was. */
class IndexRepairTest {
    private static final String PAGES = "index/queue-pages-0000000000";
    private static final int PAGE_BYTES = 1024;

    private final ApacheFolder apache = new ApacheFolder();
    private final FaultyStorage storage = new FaultyStorage();
    private boolean adopted;

    private StoreParts open() throws IOException {
        return StoreParts.open(new StoreSurroundings(
                HandDriven.settings(),
                storage,
                adopted ? Optional.of(ApacheStore.open(apache)) : Optional.empty(),
                HandDriven.SEGMENT_BYTES,
                new RecordingState(),
                (queue, from, until) -> {},
                new VirtualTime(),
                Runnable::run,
                (where, cause) -> {
                    throw new AssertionError(where, cause);
                }));
    }

    private static void append(StoreParts parts, QueueLog queue, int from, int until) {
        for (int i = from; i < until; i++) {
            parts.pipeline().append(TestUnit.message(queue, "body-" + i));
            while (parts.pipeline().runWriter() || parts.pipeline().runFlusher()) {
                // each round does what there is
            }
        }
    }

    /** Hurts every page, one after the other, and compares what becomes of it. */
    private void assertEveryPageComesBack(StoreParts parts, QueueLog queue, int pages) {
        List<String> expected = read(parts, queue);
        for (int page = 0; page < pages; page++) {
            byte[] before = page(page);
            storage.flip(PAGES, page * PAGE_BYTES + 100, 0x40);
            assertThat(read(parts, queue)).as("page %d", page).isEqualTo(expected);
            assertThat(Arrays.equals(page(page), before))
                    .as("bytes of page %d", page)
                    .isTrue();
        }
    }

    private byte[] page(int page) {
        return Arrays.copyOfRange(storage.bytes(PAGES), page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
    }

    /** The readable messages of a queue as {@code offset:body}, asked for again where a page is being built. */
    private static List<String> read(StoreParts parts, QueueLog queue) {
        List<String> found = new ArrayList<>();
        QueueCursor cursor = new QueueCursor();
        MessageView view = new MessageView();
        for (long offset = queue.minOffset(); offset < queue.maxOffset(); offset++) {
            boolean there;
            try {
                there = cursor.seek(queue, offset);
            } catch (StoreException building) {
                assertThat(building.kind()).isEqualTo(StoreException.Kind.BUSY);
                there = cursor.seek(queue, offset);
            }
            assertThat(there).isTrue();
            if (cursor.size() == 0) {
                found.add(offset + ":lost");
            } else {
                view.wrap(parts.log().slice(cursor.position(), cursor.size()), 0);
                found.add(offset + ":" + RecordingState.body(view));
            }
        }
        return found;
    }

    @Test
    void aPageOfOurOwnLogComesBack() throws IOException {
        StoreParts parts = open();
        QueueLog queue = parts.queues().queue("T", 0);
        append(parts, queue, 0, 4 * PageFile.SLOTS);
        append(parts, parts.queues().queue("T", 1), 0, 10);
        append(parts, queue, 4 * PageFile.SLOTS, 4 * PageFile.SLOTS + 5);

        assertEveryPageComesBack(parts, queue, 4);
    }

    @Test
    void aPageOfAdoptedMessagesComesBackAndOneOfBothLogs() throws IOException {
        adopted = true;
        for (int i = 0; i < 150; i++) {
            apache.message("T", 0, "body-" + i);
            apache.message("Other", i, "other-" + i);
        }
        StoreParts parts = open();
        QueueLog queue = parts.queues().queue("T", 0);
        append(parts, queue, 150, 300);

        assertThat(read(parts, queue)).hasSize(300).noneMatch(line -> line.endsWith("lost"));
        assertEveryPageComesBack(parts, queue, 4);
    }

    @Test
    void aPageOfAnAdoptedTopicThatWasMadeAnewHasNothingOfItsFormerLife() throws IOException {
        adopted = true;
        for (int i = 0; i < 150; i++) {
            apache.message("T", 0, "old-" + i);
        }
        apache.next("T", 0, 0);
        for (int i = 0; i < 130; i++) {
            apache.message("T", 0, "new-" + i);
        }
        StoreParts parts = open();
        QueueLog queue = parts.queues().queue("T", 0);
        assertThat(read(parts, queue)).hasSize(130).allMatch(line -> line.contains(":new-"));

        storage.flip(PAGES, 2 * PAGE_BYTES + 100, 0x40);
        storage.flip(PAGES, 3 * PAGE_BYTES + 100, 0x40);
        assertThat(read(parts, queue)).hasSize(130).allMatch(line -> line.contains(":new-"));
    }

    @Test
    void aPageOfAQueueThatBeginsFarFromZeroComesBack() throws IOException {
        adopted = true;
        apache.next("T", 0, 1_000_000_000);
        for (int i = 0; i < 200; i++) {
            apache.message("T", 0, "body-" + i);
        }
        StoreParts parts = open();
        QueueLog queue = parts.queues().queue("T", 0);
        append(parts, queue, 200, 300);

        assertThat(queue.minOffset()).isEqualTo(1_000_000_000);
        assertEveryPageComesBack(parts, queue, 4);
        parts.finish();
        StoreParts again = open();
        assertThat(read(again, again.queues().queue("T", 0))).hasSize(300).endsWith("1000000299:body-299");
    }

    @Test
    void onlyMessagesThatAreLostAreHoles() throws IOException {
        StoreParts parts = open();
        QueueLog queue = parts.queues().queue("T", 0);
        append(parts, queue, 0, 2 * PageFile.SLOTS + 1);
        List<String> expected = read(parts, queue);
        QueueCursor cursor = new QueueCursor();
        cursor.seek(queue, 70);
        storage.flip("log/00000000000000000000", (int) cursor.position() + 89, 0x40);
        storage.flip(PAGES, PAGE_BYTES + 100, 0x40);
        StoreParts again = open();

        expected.set(70, "70:lost");
        assertThat(read(again, again.queues().queue("T", 0))).isEqualTo(expected);
    }

    @Test
    void aPageOfWhichAPartHasExpiredKeepsTheRest() {
        VirtualTime time = new VirtualTime();
        HandDriven store = HandDriven.open(storage, time);
        RetainingStore.append(store, time, "A", 100);
        RetainingStore.retain(store, time, RetainingStore.hours(1));
        QueueLog queue = store.parts.queues().queue("A", 0);
        assertThat(queue.minOffset()).isEqualTo(40);
        List<String> expected = read(store.parts, queue);

        storage.flip(PAGES, 100, 0x40);
        assertThat(read(store.parts, queue)).isEqualTo(expected);
        assertThat(queue.minOffset()).isEqualTo(40);
        RetainingStore.append(store, time, "A", 10);
        RetainingStore.retain(store, time, RetainingStore.hours(1));
        storage.flip(PAGES, 100, 0x40);
        assertThat(read(store.parts, queue)).hasSize(60);
        assertThat(queue.minOffset()).isEqualTo(50);
    }

    @Test
    void aPageComesBackThoughTheMessageBeforeItHasExpiredMeanwhileAndLiesElsewhere() {
        VirtualTime time = new VirtualTime();
        HandDriven store = HandDriven.open(storage, time);
        RetainingStore.append(store, time, "A", 130);
        QueueLog queue = store.parts.queues().queue("A", 0);
        QueueCursor cursor = new QueueCursor();
        assertThat(cursor.seek(queue, 70)).isTrue();
        ExpiryCuts cuts = ExpiryCuts.NONE.moved(cursor.position(), Map.of());
        queue.retain(copiedTo(store.parts.marks().committed() - 1));
        store.parts.queues().cuts().show(cuts);

        new IndexRepair(
                        store.parts.log(),
                        store.parts.marks(),
                        store.parts.queues(),
                        store.parts.pageFile(),
                        Optional.empty(),
                        Runnable::run)
                .ask(queue, PageFile.SLOTS, 1);

        QueueCursor reader = new QueueCursor();
        for (int offset = 70; offset < 130; offset++) {
            assertThat(reader.seek(queue, offset)).isTrue();
            assertThat(reader.size()).as("bytes of offset %d", offset).isPositive();
        }
    }

    /** The latest messages of keys, which all were appended again at one place. */
    private static RetainedMessages copiedTo(long position) {
        return new RetainedMessages() {
            @Override
            public long firstFrom(long offset) {
                return offset;
            }

            @Override
            public boolean read(long offset, long[] entry) {
                entry[0] = position;
                entry[1] = 1_000L << Integer.SIZE;
                return true;
            }
        };
    }
}
