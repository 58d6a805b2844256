package io.anser.bench.load;

import java.util.concurrent.TimeUnit;

/**
 * How long a load runs. The warm-up ends when its least time and its least number of messages are reached and the server
 * compiles nothing any more, or at its most time or most messages; the window at its time or at its number of messages, whichever comes first.
 *
 * @param warm the warm-up
 * @param nanos length of the window that counts
 * @param messages messages in the window that counts, at most
 */
public record Limits(WarmUp warm, long nanos, long messages) {
    private static final long PATIENCE_NANOS = 600_000_000_000L;

    /**
     * What happens before the window that counts: a server is warm by what it did, not by how long it took.
     *
     * @param leastNanos time, at least
     * @param leastMessages messages, at least
     * @param mostNanos time, at most, even if there were fewer messages
     * @param mostMessages messages, at most, even in less time
     */
    public record WarmUp(long leastNanos, long leastMessages, long mostNanos, long mostMessages) {
        /** None. */
        public static final WarmUp NONE = new WarmUp(0, 0, 0, 0);

        /** So long, with whatever happens meanwhile. */
        public static WarmUp millis(long millis) {
            long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
            return new WarmUp(nanos, 0, nanos, Long.MAX_VALUE);
        }

        boolean isOver(long nanos, long messages) {
            return isExhausted(nanos, messages) || (nanos >= leastNanos && messages >= leastMessages);
        }

        /** Whether it may not go on, even if the server is not warm yet. */
        boolean isExhausted(long nanos, long messages) {
            return nanos >= mostNanos || messages >= mostMessages;
        }
    }

    boolean isOver(long sinceOpened, long counted) {
        return sinceOpened >= nanos || counted >= messages;
    }

    /** So many messages, all of them counted; gives up after ten minutes. */
    public static Limits messages(long count) {
        return new Limits(WarmUp.NONE, PATIENCE_NANOS, count);
    }
}
