package io.anser.store.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.file.FaultyStorage;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A reader sees what is published and nothing else. */
class QueueCursorTest {
    private static final int BYTES = 100;

    @Test
    void showsNothingUnpublishedOfAPageThatWasTurnedMeanwhile() throws IOException {
        try (PageFile pages = PageFile.open(new FaultyStorage(), 1 << 20, 0)) {
            QueueRegistry registry = new QueueRegistry(pages, (position, size) -> 0);
            QueueIndexer indexer = new QueueIndexer(registry, pages);
            QueueLog queue = registry.queue("T", 0);
            int published = PageFile.SLOTS - 2;
            for (int offset = 0; offset <= PageFile.SLOTS; offset++) {
                if (offset == published) {
                    indexer.publish();
                }
                indexer.index(queue, offset, (long) offset * BYTES, BYTES, 0);
            }

            QueueCursor cursor = new QueueCursor();

            assertThat(cursor.seek(queue, published - 1)).isTrue();
            assertThat(cursor.position()).isEqualTo((long) (published - 1) * BYTES);
            assertThat(cursor.next()).isFalse();
        }
    }

    @Test
    void passesMessagesWithOtherTagsAsFarAsThePageGoes() throws IOException {
        try (PageFile pages = PageFile.open(new FaultyStorage(), 1 << 20, 0)) {
            QueueRegistry registry = new QueueRegistry(pages, (position, size) -> 0);
            QueueIndexer indexer = new QueueIndexer(registry, pages);
            QueueLog queue = registry.queue("T", 0);
            for (int offset = 0; offset < 2 * PageFile.SLOTS; offset++) {
                indexer.index(queue, offset, (long) offset * BYTES, BYTES, offset == 20 || offset == 40 ? 7 : 1);
            }
            indexer.publish();
            QueueCursor cursor = new QueueCursor();
            int[] tags = {5, 7};

            cursor.seek(queue, 0);
            assertThat(cursor.passOthers(tags, 1000)).isEqualTo(19);
            assertThat(cursor.offset()).isEqualTo(19);
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.tagsHash()).isEqualTo(7);

            assertThat(cursor.passOthers(tags, 12)).isEqualTo(12);
            assertThat(cursor.position()).isEqualTo(32 * BYTES);
            assertThat(cursor.passOthers(tags, 0)).isZero();

            cursor.seek(queue, 41);
            assertThat(cursor.passOthers(tags, 1000)).isEqualTo(PageFile.SLOTS - 42);
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.offset()).isEqualTo(PageFile.SLOTS);
            assertThat(cursor.passOthers(new int[0], 1000)).isEqualTo(PageFile.SLOTS - 1);
            assertThat(cursor.next()).isFalse();
        }
    }
}
