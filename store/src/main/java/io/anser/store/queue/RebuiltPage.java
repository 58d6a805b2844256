package io.anser.store.queue;

import io.anser.protocol.message.MessageView;

/** A full page of the index that is filled again from the log. Used by one thread. */
public final class RebuiltPage {
    final QueueLog queue;
    final long firstOffset;
    final int page;
    final QueueTail entries;

    private final byte[] topic;
    private final long before;

    /** The slot behind the last message. */
    private int next;

    /**
     * An empty page.
     *
     * @param before log position that offsets before the first message count as having: they are lost, or have expired
     */
    public RebuiltPage(QueueLog queue, long firstOffset, int page, long before) {
        this.queue = queue;
        this.firstOffset = firstOffset;
        this.page = page;
        this.entries = QueueTail.startingAt(firstOffset).grown(PageFile.SLOTS - 1);
        this.topic = queue.topicBytes();
        this.before = before;
    }

    /** The queue that the page is of. */
    public QueueLog queue() {
        return queue;
    }

    /** Whether a message is of the page's queue, going by its topic and queue id. */
    public boolean isOf(MessageView message) {
        return message.queueId() == queue.queueId() && message.hasTopic(topic);
    }

    /**
     * Adds a message when its place is in the page; messages come in the order of the log. Offsets that are passed over become
     * holes, as they did when the page was made; of two messages with one offset the first counts, as it did then.
     */
    public void add(long offset, long position, int size, int tagsHash) {
        if (offset >= firstOffset + next && offset <= lastOffset()) {
            int slot = (int) (offset - firstOffset);
            leaveOut(slot, next == 0 ? before : position);
            entries.set(slot, position, size, tagsHash);
            next = slot + 1;
        }
    }

    /** Forgets the messages: their queue began anew behind them. */
    public void clear() {
        next = 0;
    }

    /**
     * Ends the page: what is still missing are holes.
     *
     * @param behind log position of the next message
     */
    public void finish(long behind) {
        leaveOut(PageFile.SLOTS, behind);
    }

    private void leaveOut(int until, long position) {
        for (int slot = next; slot < until; slot++) {
            entries.set(slot, position, 0, 0);
        }
        next = Math.max(next, until);
    }

    /** The queue offset of the page's last entry: with its message the page is complete. */
    public long lastOffset() {
        return firstOffset + PageFile.SLOTS - 1;
    }

    /** Whether the page has its last message. */
    public boolean isComplete() {
        return next == PageFile.SLOTS;
    }
}
