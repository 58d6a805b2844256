package io.anser.client;

import java.util.Arrays;

/**
 * The messages of one queue that were received and not all acknowledged, and from it the offset that may be committed: the
 * lowest one not acknowledged. Acknowledgements come in any order; a message not acknowledged holds the offset back, so
 * that nothing is skipped when the consumer dies.
 *
 * <p>A ring of ascending queue offsets (with gaps where a filter left messages out), each with its done mark. Not
 * thread-safe: {@link QueueFeed} guards it.
 */
final class AckWindow {
    private static final int FIRST_CAPACITY = 64;

    private long[] offsets = new long[FIRST_CAPACITY];
    private boolean[] done = new boolean[FIRST_CAPACITY];
    private int head;
    private int size;
    private long nextOffset;

    AckWindow(long firstOffset) {
        this.nextOffset = firstOffset;
    }

    /** Takes in a received message. Returns false, and does nothing, if everything up to it was received before. */
    boolean received(long offset) {
        if (offset < nextOffset) {
            return false;
        }
        if (size == offsets.length) {
            grow();
        }
        int slot = slot(size);
        offsets[slot] = offset;
        done[slot] = false;
        size++;
        nextOffset = offset + 1;
        return true;
    }

    /** Everything below this offset was received or passed over by a filter. */
    void passedUntil(long offset) {
        nextOffset = Math.max(nextOffset, offset);
    }

    /** Marks a message as done. Returns false if it is not in the window, or was done before. */
    boolean acknowledge(long offset) {
        int index = find(offset);
        if (index < 0 || done[slot(index)]) {
            return false;
        }
        done[slot(index)] = true;
        while (size > 0 && done[head]) {
            head = (head + 1) % offsets.length;
            size--;
        }
        return true;
    }

    /** The offset that may be committed: all messages below it are done. Never goes back. */
    long committable() {
        return size > 0 ? offsets[head] : nextOffset;
    }

    /** How far apart the lowest message not done and the end are: what would come again after a crash. */
    long span() {
        return nextOffset - committable();
    }

    private int find(long offset) {
        int low = 0;
        int high = size - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            long at = offsets[slot(middle)];
            if (at == offset) {
                return middle;
            }
            if (at < offset) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    private int slot(int index) {
        return (head + index) % offsets.length;
    }

    private void grow() {
        long[] moreOffsets = new long[offsets.length * 2];
        boolean[] moreDone = new boolean[offsets.length * 2];
        for (int i = 0; i < size; i++) {
            moreOffsets[i] = offsets[slot(i)];
            moreDone[i] = done[slot(i)];
        }
        offsets = moreOffsets;
        done = moreDone;
        head = 0;
    }

    @Override
    public String toString() {
        return "committable=" + committable() + " next=" + nextOffset + " offsets="
                + Arrays.toString(Arrays.copyOf(offsets, Math.min(size, 8)));
    }
}
