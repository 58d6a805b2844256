package io.anser.store.queue;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the entries of queues one after another without allocating. One thread uses a cursor; keep one for each event loop
 * and use it for all queues. A full page is read from the page file once and kept until another one is needed.
 */
public final class QueueCursor {
    private static final long[] NOTHING = {};

    private @Nullable QueueLog queue;
    private long offset;

    // The entries under the cursor: the queue's own tail, or the page below.
    private long[] entries = NOTHING;
    private int slot;
    private int slotLimit;

    private @Nullable ByteBuffer pageBytes;
    private long[] page = NOTHING;

    /** The entry of a message that stays before the cut, or of a hole there. */
    private final long[] retained = new long[2];

    private @Nullable QueueLog pageQueue;
    private long pageFirstOffset;

    /** A cursor that stands nowhere. */
    public QueueCursor() {}

    /**
     * Goes to a message.
     *
     * @return false when the offset is not in {@code [minOffset, maxOffset)}; the cursor then stands nowhere
     * @throws io.anser.store.file.StoreException IO when the index cannot be read
     */
    public boolean seek(QueueLog queue, long offset) {
        long until = queue.maxOffset();
        if (offset < queue.minOffset() || offset >= until) {
            this.queue = null;
            return false;
        }
        if (offset < queue.uncutOffset()) {
            toRetained(queue, offset);
            return true;
        }
        QueueTail tail = queue.tail();
        if (offset >= tail.firstOffset) {
            entries = tail.entries;
            slot = (int) (offset - tail.firstOffset);
            slotLimit = (int) Math.min(until - tail.firstOffset, PageFile.SLOTS);
        } else {
            slot = (int) (offset % PageFile.SLOTS);
            // The page may have been turned by messages that are not published yet.
            slotLimit = (int) Math.min(until - (offset - slot), PageFile.SLOTS);
            if (!toPage(queue, offset - slot)) {
                this.queue = null; // retention took it since the bounds were read
                return false;
            }
            entries = page;
        }
        this.queue = queue;
        this.offset = offset;
        return true;
    }

    private void toRetained(QueueLog queue, long offset) {
        if (!queue.retained().read(offset, retained)) {
            retained[0] = 0;
            retained[1] = 0; // a hole
        }
        entries = retained;
        slot = 0;
        slotLimit = 1;
        this.queue = queue;
        this.offset = offset;
    }

    /**
     * Goes to the next message; false when there is none yet, and the cursor then stands nowhere. Where only some messages
     * are {@linkplain QueueLog#retain retained} its offset is that of the next one of them.
     */
    public boolean next() {
        QueueLog current = queue;
        if (current == null) {
            return false;
        }
        if (slot + 1 < slotLimit) {
            slot++;
            offset++;
            return true;
        }
        return seek(current, current.offsetFrom(offset + 1));
    }

    /**
     * Passes the messages behind this one that have none of some tags, as far as they are in the page in hand. The cursor
     * stands on the last one that was passed then.
     *
     * @param tagHashes hashes of the tags
     * @param most messages, at most
     * @return how many messages were passed
     */
    public int passOthers(int[] tagHashes, long most) {
        int last = (int) Math.min(slotLimit - 1L, slot + most);
        int at = slot;
        while (at < last && !contains(tagHashes, (int) entries[2 * at + 3])) {
            at++;
        }
        int passed = at - slot;
        slot = at;
        offset += passed;
        return passed;
    }

    private static boolean contains(int[] hashes, int hash) {
        for (int one : hashes) {
            if (one == hash) {
                return true;
            }
        }
        return false;
    }

    /** The queue offset of the message. */
    public long offset() {
        return offset;
    }

    /** The log position of the message's first byte. */
    public long position() {
        return position(0);
    }

    /** The size of the whole message in bytes; 0 for a hole: the message with this offset is lost, and every reader skips it. */
    public int size() {
        return size(0);
    }

    /** The hash code of the message's tag ({@link String#hashCode()}), 0 when it has none. */
    public int tagsHash() {
        return (int) entries[2 * slot + 1];
    }

    /** How many messages from this one on are at hand: those that {@link #position(int)} and {@link #size(int)} tell of. */
    public int atHand() {
        return slotLimit - slot;
    }

    /** The log position of the message so many behind this one, see {@link #position()}. */
    public long position(int behind) {
        return entries[2 * (slot + behind)];
    }

    /** The size of the message so many behind this one, see {@link #size()}. */
    public int size(int behind) {
        return (int) (entries[2 * (slot + behind) + 1] >>> 32);
    }

    private boolean toPage(QueueLog queue, long firstOffset) {
        if (pageQueue == queue && pageFirstOffset == firstOffset) {
            return true;
        }
        ByteBuffer bytes = pageBytes;
        if (bytes == null) {
            bytes = ByteBuffer.allocateDirect(PageFile.PAGE_BYTES);
            pageBytes = bytes;
            page = new long[2 * PageFile.SLOTS];
        }
        pageQueue = null; // stays so when the page cannot be read
        long number = queue.pages().number(firstOffset / PageFile.SLOTS);
        if (number == PageList.NONE || !queue.pageFile().read((int) number, queue, firstOffset, bytes, page)) {
            return false;
        }
        pageQueue = queue;
        pageFirstOffset = firstOffset;
        return true;
    }
}
