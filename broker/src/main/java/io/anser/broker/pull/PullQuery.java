package io.anser.broker.pull;

import io.anser.broker.filter.MessageFilter;
import io.anser.broker.filter.OthersFilter;
import io.anser.store.queue.QueueLog;

/**
 * What a pull reads: the same for a new one and for one that was parked.
 *
 * @param queue where to read
 * @param queueOffset the first message wanted; may lie outside the queue
 * @param maxMessages most messages to deliver, at least 1
 * @param maxBytes most bytes to deliver, at least 1; the first message is delivered whatever its size
 * @param filter which messages to deliver
 * @param others which of the other messages to stop at: somebody else of the group wants them
 * @param redirection whether the group has been put elsewhere
 */
record PullQuery(
        QueueLog queue,
        long queueOffset,
        int maxMessages,
        int maxBytes,
        MessageFilter filter,
        OthersFilter others,
        Redirection redirection) {
    /** What a reader wants whom nobody puts elsewhere. */
    PullQuery(
            QueueLog queue,
            long queueOffset,
            int maxMessages,
            int maxBytes,
            MessageFilter filter,
            OthersFilter others) {
        this(queue, queueOffset, maxMessages, maxBytes, filter, others, Redirection.NEVER);
    }

    /** What a reader wants who shares the queue with nobody. */
    PullQuery(QueueLog queue, long queueOffset, int maxMessages, int maxBytes, MessageFilter filter) {
        this(queue, queueOffset, maxMessages, maxBytes, filter, OthersFilter.NONE);
    }

    PullQuery from(long nextOffset) {
        return new PullQuery(queue, nextOffset, maxMessages, maxBytes, filter, others, redirection);
    }
}
