package io.anser.bench.load;

/**
 * How long a load runs. Each phase ends at its time or at its number of messages, whichever comes first.
 *
 * @param warmNanos time before the window that counts
 * @param warmMessages messages before the window that counts, at most
 * @param nanos length of the window that counts
 * @param messages messages in the window that counts, at most
 */
public record Limits(long warmNanos, long warmMessages, long nanos, long messages) {
    private static final long PATIENCE_NANOS = 600_000_000_000L;

    /** So many messages, all of them counted; gives up after ten minutes. */
    public static Limits messages(long count) {
        return new Limits(0, 0, PATIENCE_NANOS, count);
    }
}
