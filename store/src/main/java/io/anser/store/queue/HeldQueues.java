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
    private final PageFolder.Files files;
    private final @Nullable PageList[] pages;
    private final long[] minOffsets;
    private final long[] untilOffsets;

    HeldQueues(int nextPage, PageFolder.Files files, List<@Nullable QueueLog> numbered) {
        int count = numbered.size();
        this.nextPage = nextPage;
        this.files = files;
        this.queues = numbered.toArray(new @Nullable QueueLog[0]);
        this.tails = new @Nullable QueueTail[count];
        this.pages = new @Nullable PageList[count];
        this.minOffsets = new long[count];
        this.untilOffsets = new long[count];
        for (int number = 0; number < count; number++) {
            QueueLog queue = queues[number];
            if (queue != null) {
                QueueTail tail = queue.tail();
                long minOffset = queue.minOffsetSeen();
                tails[number] = tail;
                minOffsets[number] = minOffset;
                pages[number] = neededPages(queue, minOffset, tail);
                untilOffsets[number] = queue.indexedUntil;
            }
        }
    }

    /** The pages from that of the minimum on; a queue that gets no messages has its list shortened here. */
    private static PageList neededPages(QueueLog queue, long minOffset, QueueTail tail) {
        PageList pages = queue.pages();
        long until = tail.firstOffset / PageFile.SLOTS;
        long from = Math.min(until, minOffset / PageFile.SLOTS);
        if (from > pages.first) {
            pages = pages.trimmed(from, until);
            queue.showPages(pages);
        }
        return pages;
    }

    /** Writes the directory of pages and the tails of all queues. */
    public void write(DataOutput out) throws IOException {
        out.writeInt(nextPage);
        files.write(out);
        out.writeInt(queues.length);
        for (int number = 0; number < queues.length; number++) {
            QueueLog queue = queues[number];
            QueueTail tail = tails[number];
            PageList list = pages[number];
            if (queue == null || tail == null || list == null) {
                out.writeUTF(NO_TOPIC);
            } else {
                out.writeUTF(queue.topic());
                out.writeInt(queue.queueId());
                out.writeLong(minOffsets[number]);
                out.writeLong(untilOffsets[number]);
                writeEntries(tail, list, minOffsets[number], untilOffsets[number], out);
            }
        }
    }

    private static void writeEntries(QueueTail tail, PageList pages, long minOffset, long until, DataOutput out)
            throws IOException {
        long pagesUntil = tail.firstOffset / PageFile.SLOTS;
        for (long page = Math.min(pagesUntil, minOffset / PageFile.SLOTS); page < pagesUntil; page++) {
            out.writeInt((int) pages.number(page));
        }
        int halves = 2 * (int) (until - tail.firstOffset);
        for (int half = 0; half < halves; half++) {
            out.writeLong(tail.entries[half]);
        }
    }
}
