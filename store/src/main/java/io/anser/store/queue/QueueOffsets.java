package io.anser.store.queue;

import io.anser.protocol.message.MessageView;

/**
 * Gives out queue offsets: consecutive numbers for each queue, in log order. Owned by the log writer, in a group by the
 * engine's appending thread. It takes one only for a message that it is about to write, and gives it back when the device had no
 * room for that; so an offset is never left out, and never given twice.
 */
public final class QueueOffsets {
    private QueueOffsets() {}

    /** Takes the next offset of a queue. */
    public static long take(QueueLog queue) {
        return queue.nextOffset++;
    }

    /**
     * Whether the queue takes no more messages, because the drop of its topic has its place in the log, or will have it before
     * whatever is proposed from now on.
     */
    public static boolean isClosed(QueueLog queue) {
        return queue.isClosed();
    }

    /** Gives back an offset and all taken after it, none of which is in the log. */
    public static void giveBack(QueueLog queue, long offset) {
        queue.nextOffset = offset;
    }

    /**
     * Takes note that the log has a message with the queue's next offset, which somebody has given it before.
     *
     * @return whether it is the next one
     */
    public static boolean found(QueueLog queue, long offset) {
        boolean next = queue.nextOffset == offset;
        queue.nextOffset = offset + 1;
        return next;
    }

    /** Whether a message names the queue as its own, which is how recovery will find the queue again. */
    public static boolean belongs(MessageView message, QueueLog queue) {
        return message.queueId() == queue.queueId() && message.hasTopic(queue.topicBytes());
    }
}
