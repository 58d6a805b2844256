package io.anser.store.queue;

import java.util.Arrays;

/**
 * The last, partly filled page of a queue, in memory only. Slots below the queue's published maxOffset never change; the
 * committing thread fills those beyond. The array grows with its entries, so that a queue with few messages stays small;
 * that of a queue which filled a page before grows at once to the size of a page.
 */
final class QueueTail {
    private static final int FIRST_SLOTS = 4;

    /** Offset of slot 0; a multiple of {@link PageFile#SLOTS}. */
    final long firstOffset;

    /** Two longs for each slot. */
    final long[] entries;

    private QueueTail(long firstOffset, long[] entries) {
        this.firstOffset = firstOffset;
        this.entries = entries;
    }

    /** An empty tail for the page that holds an offset. */
    static QueueTail startingAt(long offset) {
        return new QueueTail(offset - offset % PageFile.SLOTS, new long[2 * FIRST_SLOTS]);
    }

    boolean hasRoomFor(int slot) {
        return 2 * slot < entries.length;
    }

    QueueTail grown(int slot) {
        int doubled = entries.length; // twice the slots
        int wanted = firstOffset == 0 ? Math.max(slot + 1, doubled) : PageFile.SLOTS;
        int slots = Math.min(PageFile.SLOTS, wanted);
        return new QueueTail(firstOffset, Arrays.copyOf(entries, 2 * slots));
    }

    void set(int slot, long position, int size, int tagsHash) {
        entries[2 * slot] = position;
        entries[2 * slot + 1] = ((long) size << 32) | (tagsHash & 0xFFFF_FFFFL);
    }
}
