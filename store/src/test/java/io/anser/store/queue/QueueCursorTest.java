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
}
