package io.anser.store.queue;

import java.nio.ByteBuffer;

/**
 * Finds the first message of a queue at or behind a log position. Looks at a few pages near the start: the answer is seldom
 * far from where it was the last time. For one search in one thread.
 */
final class FirstKept {
    private final QueueLog queue;
    private final long cut;
    private final QueueTail tail;
    private final long until;
    private final ByteBuffer bytes = ByteBuffer.allocate(PageFile.PAGE_BYTES);
    private final long[] entries = new long[2 * PageFile.SLOTS];

    FirstKept(QueueLog queue, long cut) {
        this.queue = queue;
        this.cut = cut;
        this.until = queue.maxOffset(); // before the tail: whatever is below it is found in the tail or in the pages
        this.tail = queue.tail();
    }

    /** The first offset from {@code from} on whose message is at or behind the cut; the queue's end when there is none. */
    long offset(long from) {
        if (from >= until) {
            return from;
        }
        long page = firstPage(from / PageFile.SLOTS, tail.firstOffset / PageFile.SLOTS);
        long pageFrom = page * PageFile.SLOTS;
        long[] found = entries;
        if (pageFrom == tail.firstOffset) {
            found = tail.entries;
        } else if (!read(page)) {
            return Math.max(
                    from, Math.min(until, pageFrom + PageFile.SLOTS)); // removed since the search: all of it is old
        }
        long offset = Math.max(from, pageFrom);
        long end = Math.min(until, pageFrom + PageFile.SLOTS);
        while (offset < end && found[2 * (int) (offset - pageFrom)] < cut) {
            offset++;
        }
        return Math.min(offset, until); // the tail may have moved on since the queue's end was read
    }

    /** The first page, from {@code low} on, that ends at or behind the cut; {@code tailPage} when no full one does. */
    private long firstPage(long low, long tailPage) {
        long from = low;
        long high = tailPage;
        for (long step = 1, probe = low; probe < high; probe += step, step *= 2) {
            if (endsBeforeCut(probe)) {
                from = probe + 1;
            } else {
                high = probe;
            }
        }
        while (from < high) {
            long middle = (from + high) >>> 1;
            if (endsBeforeCut(middle)) {
                from = middle + 1;
            } else {
                high = middle;
            }
        }
        return high;
    }

    private boolean endsBeforeCut(long page) {
        return !read(page) || entries[2 * (PageFile.SLOTS - 1)] < cut;
    }

    /** Reads a full page; false when it has been removed, which only pages are that end before the log does. */
    private boolean read(long page) {
        long number = queue.pages().number(page);
        return number != PageList.NONE
                && queue.pageFile().read((int) number, queue, page * PageFile.SLOTS, bytes, entries);
    }
}
