package io.anser.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.store.TestUnit;
import io.anser.store.file.FaultyStorage;
import io.anser.store.file.StoreException;
import io.anser.store.key.KeyNotes;
import io.anser.store.queue.PageFile;
import io.anser.store.queue.QueueIndexer;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.QueueRegistry;
import io.anser.store.state.ForgetfulState;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is committed goes into the index as the log says, or not at all. */
class ApplierTest {
    private static final int SEGMENT_BYTES = 1 << 20;
    private static final int UNIT_BYTES_MAX = SEGMENT_BYTES - 1_000;

    @Test
    void aGapInAFurtherQueueIsABrokenInvariant() throws IOException {
        FaultyStorage storage = new FaultyStorage();
        VirtualTime time = new VirtualTime();
        CommitLog log = CommitLog.open(storage, SEGMENT_BYTES);
        PageFile pages = PageFile.open(storage, SEGMENT_BYTES, 0);
        QueueRegistry queues = new QueueRegistry(pages, (queue, offset) -> 0);
        Append unit = new TestUnit().andListed(0, List.of("A")).and(queues.queue("T", 0), "one", "");
        write(unit, log, queues, storage, time);
        QueueLog further = queues.queue("A", 0);
        assertThat(unit.furtherQueues()).containsExactly(new Append.FurtherQueue(further, 0));
        unit.listedIn(List.of(new Append.FurtherQueue(further, 1)));

        Applier applier = new Applier(log, new QueueIndexer(queues, pages), new ForgetfulState());

        assertThatThrownBy(() -> applier.apply(unit))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("has queueOffset=1 where queue=A/0 expects 0");
    }

    private static void write(Append unit, CommitLog log, QueueRegistry queues, FaultyStorage storage, VirtualTime time)
            throws IOException {
        Fence fence = new Fence((where, cause) -> {
            throw new AssertionError(where, cause);
        });
        PendingAppends pending = new PendingAppends(
                AppendSettings.defaults(), UNIT_BYTES_MAX, UNIT_BYTES_MAX, fence, new LogPace(time, true));
        LogWriter writer = new LogWriter(
                log,
                queues,
                LogPoint.START,
                pending,
                new WrittenBatches(),
                new Watermarks(0),
                fence,
                new DiskGuard(storage, DiskSettings.defaults(), time),
                new KeyNotes(),
                time,
                ByteBuffer::allocate);
        writer.startTerm();
        pending.offer(unit);
        while (writer.doWork()) {
            // Until the unit is in the log.
        }
    }
}
