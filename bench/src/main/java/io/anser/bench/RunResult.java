package io.anser.bench;

import io.anser.bench.machine.Memory;
import io.anser.bench.machine.Usage;
import java.util.Map;

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
 * @param details what only this workload measures
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
        String firstFailure,
        Map<Detail, Double> details) {
    private static final double MILLION = 1e6;
    private static final double PERCENT = 100;

    /** Apache's broker refuses sends that waited for 200 ms; a single pause must not take a run away. */
    private static final double REFUSED_MAX = 0.001;

    /** The details are never changed. */
    RunResult {
        details = Map.copyOf(details);
    }

    /** A run in which no request is timed. */
    static RunResult withoutLoad(
            String peer,
            Workload workload,
            int number,
            long messages,
            double seconds,
            Usage usage,
            Memory memory,
            Map<Detail, Double> details) {
        return new RunResult(peer, workload, number, messages, seconds, usage, 0, 0, 0, memory, 0, "", details);
    }

    double messagesPerSecond() {
        return messages / seconds;
    }

    /**
     * CPU seconds of the server for a million messages; of an idle server, its share of a core in percent; at a restart, those
     * of the restart.
     */
    double cpu() {
        return switch (workload.kind()) {
            case RESTART, APPEND -> usage.server();
            case IDLE -> PERCENT * usage.server() / seconds;
            case LOAD, COLD_READ, DELIVERY, TIMERS -> usage.server() * MILLION / messages;
        };
    }

    /** A detail; not a number if the run has none. */
    double detail(Detail detail) {
        return details.getOrDefault(detail, Double.NaN);
    }

    /** Messages per second as a share of what so many clients can get that wait for one flush each. */
    double shareOfFlushLimit() {
        return messagesPerSecond() * flushSeconds / Workload.DURABLE_CONNECTIONS;
    }

    /** Whether the run counts: the machine did nothing else, and hardly a request was refused. */
    boolean isVerdict() {
        return usage.isQuiet() && !isRefused();
    }

    /** Whether so many requests were refused that the figures are not those of the workload. */
    boolean isRefused() {
        return failures > messages * REFUSED_MAX;
    }
}
