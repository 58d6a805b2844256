package io.anser.store.queue;

/**
 * Gives out queue offsets: consecutive numbers for each queue, in log order. Owned by the log writer, which calls it only
 * for messages that it is about to write; so an offset is never left out, and never given twice.
 */
public final class QueueOffsets {
    private QueueOffsets() {}

    /** Takes the next offset of a queue. */
    public static long take(QueueLog queue) {
        return queue.nextOffset++;
    }

    /** Whether bytes spell the queue's topic. */
    public static boolean isTopicOf(QueueLog queue, java.nio.ByteBuffer bytes, int from, int length) {
        byte[] topic = queue.topicBytes();
        if (topic.length != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (bytes.get(from + i) != topic[i]) {
                return false;
            }
        }
        return true;
    }
}
