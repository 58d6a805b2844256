package io.anser.bench;

import io.anser.bench.load.Limits;
import java.util.concurrent.TimeUnit;

/**
 * How long runs are, and of how many messages.
 *
 * @param warmMillis warm-up, at least
 * @param warmMessages messages of the warm-up, at least, unless {@code warmMostMillis} pass before
 * @param warmRequests requests of the warm-up, at least, under the same condition: the JIT compiler counts what is called, and
 *     a batch is one call
 * @param warmMostMillis warm-up, at most
 * @param millis the window that counts
 * @param readable messages that a workload which reads finds
 * @param cold messages that a group finds which reads from far behind
 * @param restarted messages of a store that is restarted
 * @param manyQueues messages of a store with 100,000 queues that is restarted
 * @param burst records of a burst of the append path
 */
record Amounts(
        long warmMillis,
        long warmMessages,
        long warmRequests,
        long warmMostMillis,
        long millis,
        long readable,
        long cold,
        long restarted,
        long manyQueues,
        long burst) {
    /** Messages, at least, of the warm-up of a real run. */
    static final long WARM_MESSAGES = 500_000;

    /** Requests, at least, of the warm-up of a real run. */
    static final long WARM_REQUESTS = 50_000;

    /** The warm-up of a real run, at most: time for the slower server, too. */
    static final long WARM_MOST_MILLIS = 120_000;

    private static final long QUICK_MESSAGES = 50_000;

    /**
     * The warm-up of a load.
     *
     * @param batch messages of a request
     * @param most messages, at most
     */
    Limits.WarmUp warmUp(int batch, long most) {
        return new Limits.WarmUp(
                TimeUnit.MILLISECONDS.toNanos(warmMillis),
                Math.max(warmMessages, warmRequests * batch),
                TimeUnit.MILLISECONDS.toNanos(warmMostMillis),
                most);
    }

    /** Those of a real run. */
    static Amounts full(long warmMillis, long millis) {
        return new Amounts(
                warmMillis,
                WARM_MESSAGES,
                WARM_REQUESTS,
                WARM_MOST_MILLIS,
                millis,
                1_000_000,
                4_000_000,
                Workload.RESTART_MESSAGES,
                Workload.MANY_QUEUES_MESSAGES,
                1_800_000);
    }

    /** Those of a run that only shows that everything works. */
    static Amounts quick() {
        return new Amounts(
                1_000, 0, 0, 1_000, 3_000, QUICK_MESSAGES, 200_000, QUICK_MESSAGES, 2 * QUICK_MESSAGES, QUICK_MESSAGES);
    }
}
