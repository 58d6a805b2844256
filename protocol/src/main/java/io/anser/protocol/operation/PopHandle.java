package io.anser.protocol.operation;

import java.util.Optional;

/**
 * What a client holds of a popped message: {@code start popTime invisibleTime reviveQid mark broker queueId offset}, separated
 * by spaces. The client writes it out of a pop's answer.
 *
 * @param start what the pop's answer named as the first offset of the message's queue
 * @param popTime when the message was handed out, by the broker's clock
 * @param invisibleTime how long it stays invisible from then on, milliseconds
 * @param reviveQid {@link #ORDERED} for a message popped in order
 * @param mark 0 for a message of the topic itself, 1 and 2 for its retry topics
 * @param brokerName the broker that handed it out
 * @param queueId the message's queue
 * @param offset the message's queue offset
 */
public record PopHandle(
        long start,
        long popTime,
        long invisibleTime,
        int reviveQid,
        int mark,
        String brokerName,
        int queueId,
        long offset) {
    /** The revive queue id that marks order. */
    public static final int ORDERED = 999;

    private static final int PARTS = 8;

    /** Reads a handle; empty when it is none. */
    public static Optional<PopHandle> parse(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length != PARTS) {
            return Optional.empty();
        }
        try {
            return Optional.of(new PopHandle(
                    Long.parseLong(parts[0]),
                    Long.parseLong(parts[1]),
                    Long.parseLong(parts[2]),
                    Integer.parseInt(parts[3]),
                    Integer.parseInt(parts[4]),
                    parts[5],
                    Integer.parseInt(parts[6]),
                    Long.parseLong(parts[7])));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Writes the handle. */
    public String text() {
        return start + " " + popTime + " " + invisibleTime + " " + reviveQid + " " + mark + " " + brokerName + " "
                + queueId + " " + offset;
    }
}
