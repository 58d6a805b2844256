package io.anser.protocol.operation;

/**
 * Writes the texts that tell a client which messages of which queues a pop gave it: entries joined by {@code ;}, each of
 * {@code mark queueId value}, where the mark is 0 for the topic itself, 1 and 2 for its retry topics.
 */
public final class PopOffsets {
    private final StringBuilder starts = new StringBuilder();
    private final StringBuilder offsets = new StringBuilder();
    private final StringBuilder counts = new StringBuilder();

    /** Begins without a queue. */
    public PopOffsets() {}

    /**
     * Adds a queue.
     *
     * @param start what the handles of its messages begin with
     * @param messages the queue offsets, rising
     */
    public void queue(int mark, int queueId, long start, long[] messages) {
        begin(starts, mark).append(queueId).append(' ').append(start);
        begin(offsets, mark).append(queueId).append(' ');
        for (int i = 0; i < messages.length; i++) {
            if (i > 0) {
                offsets.append(',');
            }
            offsets.append(messages[i]);
        }
    }

    /** Adds how often one message was delivered before. */
    public void deliveredBefore(int mark, int queueId, long offset, int times) {
        begin(counts, mark)
                .append("qo")
                .append(queueId)
                .append('%')
                .append(offset)
                .append(' ')
                .append(times);
    }

    private static StringBuilder begin(StringBuilder text, int mark) {
        if (text.length() > 0) {
            text.append(';');
        }
        return text.append(mark).append(' ');
    }

    /** The first offset of each queue. */
    public String startOffsetInfo() {
        return starts.toString();
    }

    /** All offsets of each queue. */
    public String msgOffsetInfo() {
        return offsets.toString();
    }

    /** The earlier deliveries; empty where none was added. */
    public String orderCountInfo() {
        return counts.toString();
    }
}
