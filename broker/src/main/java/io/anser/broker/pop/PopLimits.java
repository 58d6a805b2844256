package io.anser.broker.pop;

/**
 * Bounds of one pop and of all that wait.
 *
 * @param maxBytes most bytes of messages in one answer; the first message is delivered whatever its size
 * @param maxScanned most index entries looked at in all queues in one go, so that a filter that matches nothing holds no event
 *     loop
 * @param maxOut most messages of one queue that may be out with the members of a group
 * @param maxPollMillis longest wait of a pop, in milliseconds
 * @param maxParkedPerConnection most waiting pops of one connection
 * @param maxParked most waiting pops of all connections, about 600 bytes of memory each
 */
public record PopLimits(
        int maxBytes, int maxScanned, int maxOut, long maxPollMillis, int maxParkedPerConnection, int maxParked) {
    /** Longest time that a message may be invisible, in milliseconds: a day. */
    public static final long MAX_INVISIBLE_MILLIS = 86_400_000;
    /** Longest name of a pop, in bytes: it is part of the lease. */
    public static final int MAX_ATTEMPT_ID_BYTES = 255;

    /** Ample values. */
    public static PopLimits defaults() {
        return new PopLimits(256 * 1024, 8192, 20_000, 60_000, 8192, 100_000);
    }
}
