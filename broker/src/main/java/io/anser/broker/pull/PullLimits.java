package io.anser.broker.pull;

/**
 * Bounds of one pull and of all that wait.
 *
 * @param maxMessages most messages in one answer, at least 1
 * @param maxBytes most bytes of messages in one answer; the first message is delivered whatever its size
 * @param maxScanned most index entries looked at for one request, so that a filter that matches nothing holds no event
 *     loop
 * @param maxSuspendMillis longest wait of a parked pull, in milliseconds
 * @param maxParkedPerConnection most parked pulls of one connection
 * @param maxParkedBytes most memory that all parked pulls may hold, in bytes
 */
public record PullLimits(
        int maxMessages,
        int maxBytes,
        int maxScanned,
        long maxSuspendMillis,
        int maxParkedPerConnection,
        long maxParkedBytes) {
    /** Checks the ranges. */
    public PullLimits {
        if (maxMessages < 1 || maxBytes < 1 || maxScanned < maxMessages) {
            throw new IllegalArgumentException(
                    "maxMessages=" + maxMessages + " maxBytes=" + maxBytes + " maxScanned=" + maxScanned);
        }
    }

    /** The values of a stock broker where clients depend on them, ample ones elsewhere. */
    public static PullLimits defaults() {
        return new PullLimits(1024, 256 * 1024, 8192, 60_000, 8192, 32L * 1024 * 1024);
    }
}
