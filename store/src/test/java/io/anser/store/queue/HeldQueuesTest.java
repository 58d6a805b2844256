package io.anser.store.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.file.FaultyStorage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A hold on the index stays as it was, and what it writes grows with messages, not with queues. */
class HeldQueuesTest {
    private static final int BYTES = 100;
    private static final int MANY = 100_000;
    private static final int QUEUES_PER_TOPIC = 8;

    private FaultyStorage storage;
    private QueueRegistry registry;
    private QueueIndexer indexer;

    @BeforeEach
    void open() throws IOException {
        storage = new FaultyStorage();
        PageFile pages = PageFile.open(storage, 1 << 20, 0);
        registry = new QueueRegistry(pages, (position, size) -> 0);
        indexer = new QueueIndexer(registry, pages);
    }

    @Test
    void aHoldIsNotMovedByWhatIsIndexedLater() throws IOException {
        index(registry.queue("T", 0), 0, 70);
        byte[] now = written(indexer.hold());
        HeldQueues held = indexer.hold();

        index(registry.queue("T", 0), 70, 200);
        index(registry.queue("U", 3), 0, 1);
        indexer.drop("T", 1);

        assertThat(written(held)).isEqualTo(now);
    }

    @Test
    void aHundredThousandQueuesTakeAFewMegabytes() throws IOException {
        for (int queue = 0; queue < MANY; queue++) {
            index(queue(queue), 0, 1);
        }
        byte[] few = written(indexer.hold());
        assertThat(few.length).isLessThan(MANY * 64);
        assertThat(pageBytes()).isZero();

        QueueRegistry other = new QueueRegistry(PageFile.open(storage, 1 << 20, 0), (position, size) -> 0);
        new QueueIndexer(other, PageFile.open(storage, 1 << 20, 0))
                .readSnapshot(new DataInputStream(new ByteArrayInputStream(few)));
        assertThat(other.find("orders-of-shop-12499", 7).orElseThrow().maxOffset())
                .isEqualTo(1);
    }

    @Test
    void everyPageIsFullSoThatFilesGrowWithMessages() throws IOException {
        int queues = 1000;
        for (int round = 0; round < 100; round++) {
            for (int queue = 0; queue < queues; queue++) {
                index(queue(queue), round, round + 1);
            }
        }
        long files = written(indexer.hold()).length + pageBytes();
        int bytesOfEntry = 16;
        int overheadOfQueue = 64;
        assertThat(files).isLessThan(queues * (100L * bytesOfEntry + 16 + overheadOfQueue));
    }

    private long pageBytes() throws IOException {
        long bytes = 0;
        for (String name : storage.list("index")) {
            try (var file = storage.open("index/" + name)) {
                bytes += file.size();
            }
        }
        return bytes;
    }

    private QueueLog queue(int number) {
        return registry.queue("orders-of-shop-" + number / QUEUES_PER_TOPIC, number % QUEUES_PER_TOPIC);
    }

    private void index(QueueLog queue, long from, long until) {
        for (long offset = from; offset < until; offset++) {
            indexer.index(queue, offset, offset * BYTES, BYTES, 0);
        }
        indexer.publish();
        indexer.clearArrivals();
    }

    private static byte[] written(HeldQueues held) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        held.write(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }
}
