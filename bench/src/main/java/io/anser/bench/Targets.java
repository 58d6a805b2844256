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

    private static final double QUARTER = 0.25;
    private static final double THIRD = 1 / 3.0;

    /** A target with what the runs say; empty when they say nothing about it. */
    record Outcome(Target target, Figure figure) {
        Target.Verdict verdict() {
            return figure.quiet().map(target::judge).orElse(Target.Verdict.NONE);
        }
    }

    private record Rule(Target target, Function<Results, Optional<Figure>> figure) {}

    private static final List<Rule> RULES = List.of(
            cpuBesideApache(Workload.SEND_1K, QUARTER),
            cpuBesideApache(Workload.SEND_1K_BINARY, QUARTER),
            cpuBesideApache(Workload.BATCH_32, QUARTER),
            cpuBesideApache(Workload.PULL_32, THIRD),
            new Rule(
                    Target.atLeast("durable-64x1: messages/s as a share of 64 / flush time", 0.8),
                    results -> results.figure(ANSER, Workload.DURABLE_64X1, RunResult::shareOfFlushLimit)),
            new Rule(
                    Target.atLeast("durable-64x32: messages/s beside Apache's", 3),
                    results -> results.ratio(ANSER, APACHE, Workload.DURABLE_64X32, RunResult::messagesPerSecond)),
            cpuBesideApache(Workload.DURABLE_64X32, QUARTER),
            cpuBesideSend(Workload.TOPICS_1000X8, 1.2),
            cpuBesideSend(Workload.QUEUES_100000, 1.5),
            restart(Workload.RESTART_STOP, 3),
            restart(Workload.RESTART_KILL, 10));

    private Targets() {}

    private static Rule cpuBesideApache(Workload workload, double bound) {
        return new Rule(
                Target.atMost(workload.id() + ": CPU-seconds per million beside Apache's", bound),
                results -> results.ratio(ANSER, APACHE, workload, RunResult::cpu));
    }

    private static Rule cpuBesideSend(Workload workload, double bound) {
        return new Rule(
                Target.atMost(workload.id() + ": CPU-seconds per million beside those of send-1k", bound),
                results -> results.ratio(ANSER, workload, Workload.SEND_1K, RunResult::cpu));
    }

    /** Says nothing about a store that is smaller than the target speaks of. */
    private static Rule restart(Workload workload, double seconds) {
        return new Rule(
                Target.atMost(workload.id() + ": seconds", seconds),
                results -> results.of(ANSER, workload).stream()
                                .allMatch(run -> run.messages() >= Workload.RESTART_MESSAGES)
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
