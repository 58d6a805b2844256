package io.anser.bench;

import io.anser.bench.machine.Memory;
import io.anser.bench.machine.Usage;

/**
 * What one run of one server at one workload showed.
 *
 * @param peer name of the server
 * @param workload what it was asked to do
 * @param number which of the alternating runs, from 1
 * @param messages acknowledged or delivered in the window; at a restart, those in the store
 * @param seconds length of the window; at a restart, from the start of the process to its first answer
 * @param usage CPU time in the window
 * @param p50Nanos half of the requests were answered within it
 * @param p99Nanos 99 of 100 requests were answered within it
 * @param flushSeconds what the device needed for a flush in the same run; 0 when nothing waits for it
 * @param memory of the server at the end of the window
 * @param failures requests that were refused
 * @param firstFailure the first refusal, empty if there was none
 */
record RunResult(
        String peer,
        Workload workload,
        int number,
        long messages,
        double seconds,
        Usage usage,
        long p50Nanos,
        long p99Nanos,
        double flushSeconds,
        Memory memory,
        long failures,
        String firstFailure) {
    private static final double MILLION = 1e6;
    private static final double PERCENT = 100;

    double messagesPerSecond() {
        return messages / seconds;
    }

    /**
     * CPU seconds of the server for a million messages; of an idle server, its share of a core in percent; at a restart, those
     * of the restart.
     */
    double cpu() {
        if (workload.isRestart()) {
            return usage.server();
        }
        return workload.isIdle() ? PERCENT * usage.server() / seconds : usage.server() * MILLION / messages;
    }

    /** Messages per second as a share of what so many clients can get that wait for one flush each. */
    double shareOfFlushLimit() {
        return messagesPerSecond() * flushSeconds / Workload.DURABLE_CONNECTIONS;
    }

    /** Whether the run counts: the machine did nothing else, and no request was refused. */
    boolean isVerdict() {
        return usage.isQuiet() && failures == 0;
    }
}
