package io.anser.bench;

import io.anser.bench.Results.Figure;
import io.anser.bench.stats.Target;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The figures that must be reached, and how each is taken from the runs. Pure. */
final class Targets {
    /** Name of this project's server in results. */
    static final String ANSER = "anser";

    /** Name of the server it is compared with. */
    static final String APACHE = "apache";

    private static final double NANOS_PER_MILLI = 1e6;
    private static final double GROUP_CPU = 25;
    private static final double QUARTER = 0.25;
    private static final double THIRD = 1 / 3.0;

    /** A target with what the runs say; empty when they say nothing about it. */
    record Outcome(Target target, Figure figure) {
        Target.Verdict verdict() {
            return figure.quiet().map(target::judge).orElse(Target.Verdict.NONE);
        }
    }

    private record Rule(Target target, Function<Results, Optional<Figure>> figure) {}

    /** Nothing is allocated for a record; a page of the queue index has 16 bytes for it, and some more while it grows. */
    private static final int INDEX_BYTES = 24;

    private static final List<Rule> RULES = List.of(
            new Rule(
                    Target.atLeast("append: 1 KB records per core-second", 1_000_000),
                    results -> detail(results, Workload.APPEND, Detail.RECORDS_PER_CORE_SECOND)),
            new Rule(
                    Target.atMost(
                            "append: bytes allocated per record, the index's share of a page for 63", INDEX_BYTES),
                    results -> detail(results, Workload.APPEND, Detail.ALLOCATED_BYTES_PER_RECORD)),
            cpuBesideApache(Workload.SEND_1K, QUARTER),
            cpuBesideApache(Workload.SEND_1K_BINARY, QUARTER),
            cpuBesideApache(Workload.BATCH_32, QUARTER),
            cpuBesideApache(Workload.PULL_32, THIRD),
            cpuBesideApache(Workload.POP_ACK, THIRD),
            rateBesideApache(Workload.FILTER_TAG, 3),
            rateBesideApache(Workload.FILTER_SQL, 3),
            new Rule(
                    Target.atLeast("durable-64x1: messages/s as a share of 64 / flush time", 0.8),
                    results -> results.figure(ANSER, Workload.DURABLE_64X1, RunResult::shareOfFlushLimit)),
            rateBesideApache(Workload.DURABLE_64X32, 3),
            cpuBesideApache(Workload.DURABLE_64X32, QUARTER),
            new Rule(
                    Target.atMost("group-majority: CPU-seconds per million, all three brokers", GROUP_CPU),
                    results -> results.figure(ANSER, Workload.GROUP_MAJORITY, RunResult::cpu)),
            cpuBesideApache(Workload.GROUP_MAJORITY, QUARTER),
            cpuBesideApache(Workload.GROUP_QUORUM, QUARTER),
            cpuBesideSend(Workload.TOPICS_1000X8, 1.2),
            cpuBesideSend(Workload.QUEUES_100000, 1.5),
            new Rule(
                    Target.atMost("cold-read: ack p99 beside the cold group as a multiple of that without", 2),
                    results -> quotient(results, Detail.ACK_P99_MILLIS, Detail.ACK_P99_ALONE_MILLIS)),
            new Rule(
                    Target.atMost("cold-read: delivery p99 beside the cold group as a multiple of that without", 2),
                    results -> quotient(results, Detail.DELIVERY_P99_MILLIS, Detail.DELIVERY_P99_ALONE_MILLIS)),
            new Rule(
                    Target.atMost("delivery: p50, ms", 1),
                    results -> results.figure(ANSER, Workload.DELIVERY, run -> run.p50Nanos() / NANOS_PER_MILLI)),
            new Rule(
                    Target.atMost("delivery: p99, ms", 5),
                    results -> results.figure(ANSER, Workload.DELIVERY, run -> run.p99Nanos() / NANOS_PER_MILLI)),
            new Rule(
                    Target.atMost("timers: the last of 10,000 messages, ms after all were due", 1000),
                    results -> detail(results, Workload.TIMERS, Detail.LAST_DUE_MILLIS)),
            restart(Workload.RESTART_STOP, Workload.RESTART_MESSAGES, 3),
            restart(Workload.RESTART_KILL, Workload.RESTART_MESSAGES, 10),
            restart(Workload.RESTART_QUEUES, Workload.MANY_QUEUES_MESSAGES, 10),
            new Rule(
                    Target.atMost("restart-queues: MiB of indexes and snapshots", 300),
                    results -> detail(results, Workload.RESTART_QUEUES, Detail.INDEX_MIB)));

    private Targets() {}

    private static Rule cpuBesideApache(Workload workload, double bound) {
        return new Rule(
                Target.atMost(workload.id() + ": CPU-seconds per million beside Apache's", bound),
                results -> results.ratio(ANSER, APACHE, workload, RunResult::cpu));
    }

    private static Rule rateBesideApache(Workload workload, double bound) {
        return new Rule(
                Target.atLeast(workload.id() + ": messages/s beside Apache's", bound),
                results -> results.ratio(ANSER, APACHE, workload, RunResult::messagesPerSecond));
    }

    private static Rule cpuBesideSend(Workload workload, double bound) {
        return new Rule(
                Target.atMost(workload.id() + ": CPU-seconds per million beside those of send-1k", bound),
                results -> results.ratio(ANSER, workload, Workload.SEND_1K, RunResult::cpu));
    }

    private static Optional<Figure> detail(Results results, Workload workload, Detail detail) {
        return results.figure(ANSER, workload, run -> run.detail(detail));
    }

    private static Optional<Figure> quotient(Results results, Detail over, Detail under) {
        return results.figure(ANSER, Workload.COLD_READ, run -> run.detail(over) / run.detail(under));
    }

    /** Says nothing about a store that is smaller than the target speaks of. */
    private static Rule restart(Workload workload, long messages, double seconds) {
        return new Rule(
                Target.atMost(workload.id() + ": seconds", seconds),
                results -> results.of(ANSER, workload).stream().allMatch(run -> run.messages() >= messages)
                        ? results.figure(ANSER, workload, RunResult::seconds)
                        : Optional.empty());
    }

    /** Every target that the runs say something about. */
    static List<Outcome> judge(Results results) {
        return RULES.stream()
                .flatMap(
                        rule -> rule.figure().apply(results).map(figure -> new Outcome(rule.target(), figure)).stream())
                .toList();
    }
}
