package io.anser.store.queue;

/** A full page of the index that is filled again from the log. Used by one thread. */
public final class RebuiltPage {
    final QueueLog queue;
    final long firstOffset;
    final int page;
    final QueueTail entries;

    private long latestPosition;

    /**
     * An empty page: all of its entries are holes.
     *
     * @param position log position that lost messages count as having while none behind it is known
     */
    public RebuiltPage(QueueLog queue, long firstOffset, int page, long position) {
        this.queue = queue;
        this.firstOffset = firstOffset;
        this.page = page;
        this.entries = QueueTail.startingAt(firstOffset).grown(PageFile.SLOTS - 1);
        this.latestPosition = position;
        for (int slot = 0; slot < PageFile.SLOTS; slot++) {
            entries.set(slot, position, 0, 0);
        }
    }

    /** Adds a message when its place is in the page; messages come in the order of the log. */
    public void add(long offset, long position, int size, int tagsHash) {
        if (offset < firstOffset || offset > lastOffset()) {
            return;
        }
        latestPosition = Math.max(latestPosition, position);
        int slot = (int) (offset - firstOffset);
        entries.set(slot, position, size, tagsHash);
        for (int hole = slot + 1; hole < PageFile.SLOTS; hole++) {
            entries.set(hole, latestPosition, 0, 0); // positions never go back within a queue
        }
    }

    /** The queue offset of the page's last entry: with its message the page is complete. */
    public long lastOffset() {
        return firstOffset + PageFile.SLOTS - 1;
    }
}
