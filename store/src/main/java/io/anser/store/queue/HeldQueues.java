package io.anser.store.queue;

import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The queue index as it was at one moment, for a snapshot: references and numbers only, because entries below a queue's end
 * never change. Made by the committing thread, which a hundred thousand queues hold up for milliseconds; then written by any
 * thread while the index goes on.
 */
public final class HeldQueues {
    /** Stands for a number that no queue has. */
    static final String NO_TOPIC = "";

    private final int nextPage;
    private final @Nullable QueueLog[] queues;
    private final @Nullable QueueTail[] tails;
    private final int[][] pages;
    private final long[] minOffsets;
    private final long[] untilOffsets;

    HeldQueues(int nextPage, List<@Nullable QueueLog> numbered) {
        int count = numbered.size();
        this.nextPage = nextPage;
        this.queues = numbered.toArray(new @Nullable QueueLog[0]);
        this.tails = new @Nullable QueueTail[count];
        this.pages = new int[count][];
        this.minOffsets = new long[count];
        this.untilOffsets = new long[count];
        for (int number = 0; number < count; number++) {
            QueueLog queue = queues[number];
            if (queue != null) {
                tails[number] = queue.tail();
                pages[number] = queue.pages();
                minOffsets[number] = queue.minOffsetSeen();
                untilOffsets[number] = queue.indexedUntil;
            }
        }
    }

    /** Writes the directory of pages and the tails of all queues. */
    public void write(DataOutput out) throws IOException {
        out.writeInt(nextPage);
        out.writeInt(queues.length);
        for (int number = 0; number < queues.length; number++) {
            QueueLog queue = queues[number];
            QueueTail tail = tails[number];
            if (queue == null || tail == null) {
                out.writeUTF(NO_TOPIC);
            } else {
                out.writeUTF(queue.topic());
                out.writeInt(queue.queueId());
                out.writeLong(minOffsets[number]);
                out.writeLong(untilOffsets[number]);
                writeEntries(tail, pages[number], untilOffsets[number], out);
            }
        }
    }

    private static void writeEntries(QueueTail tail, int[] pages, long until, DataOutput out) throws IOException {
        int count = (int) (tail.firstOffset / PageFile.SLOTS);
        for (int page = 0; page < count; page++) {
            out.writeInt(pages[page]);
        }
        int halves = 2 * (int) (until - tail.firstOffset);
        for (int half = 0; half < halves; half++) {
            out.writeLong(tail.entries[half]);
        }
    }
}
