package io.anser.store.log;

import org.jctools.queues.SpscArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The batches that go round between the log writer and the committing thread (at durability memory the same thread). There
 * are few: while the device is busy the writer soon has none left, and what arrives meanwhile becomes one large batch
 * instead of many small ones.
 */
public final class WrittenBatches {
    private static final int BATCHES = 16;

    private final SpscArrayQueue<WrittenBatch> free = new SpscArrayQueue<>(BATCHES);
    private final SpscArrayQueue<WrittenBatch> written = new SpscArrayQueue<>(BATCHES);

    /** All batches free. */
    public WrittenBatches() {
        for (int i = 0; i < BATCHES; i++) {
            free.offer(new WrittenBatch());
        }
    }

    boolean hasFree() {
        return !free.isEmpty();
    }

    boolean hasWritten() {
        return !written.isEmpty();
    }

    /** Log writer only. */
    @Nullable
    WrittenBatch takeFree() {
        return free.poll();
    }

    /** Log writer only. */
    void handOver(WrittenBatch batch) {
        written.offer(batch);
    }

    /** Committing thread only: the oldest written batch, which stays in its place. */
    @Nullable
    WrittenBatch oldest() {
        return written.peek();
    }

    /** Committing thread only: gives back the oldest written batch. */
    void handBack(WrittenBatch batch) {
        written.poll();
        batch.clear();
        free.offer(batch);
    }
}
