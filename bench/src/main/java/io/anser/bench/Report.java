package io.anser.bench;

import io.anser.bench.Results.Figure;
import io.anser.bench.stats.Spread;
import io.anser.bench.stats.Target;
import io.anser.protocol.json.JsonDialect;
import io.anser.protocol.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Results as a page in Markdown, and single runs as lines of JSON. Pure. */
final class Report {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final double MIB = 1 << 20;
    private static final double PERCENT = 100;

    /**
     * How the runs were made.
     *
     * @param machine in one line
     * @param command as typed
     * @param date of the runs
     * @param runs wanted for each server and workload
     * @param warmMillis warm-up
     * @param millis window that counts
     * @param apache Apache's version; empty if it was not measured
     */
    record Circumstances(
            String machine,
            String command,
            String date,
            int runs,
            long warmMillis,
            long millis,
            Optional<String> apache) {}

    private final Circumstances circumstances;
    private final Results results;
    private final StringBuilder page = new StringBuilder();

    private Report(Circumstances circumstances, Results results) {
        this.circumstances = circumstances;
        this.results = results;
    }

    /** The whole page. */
    static String markdown(Circumstances circumstances, Results results) {
        Report report = new Report(circumstances, results);
        report.head();
        report.targets();
        report.figures();
        report.refusals();
        return report.page.toString();
    }

    private void line(String format, Object... values) {
        page.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private void head() {
        line("# Benchmarks");
        line("");
        line("Generated; do not edit. Made by `%s` on %s.", circumstances.command(), circumstances.date());
        line("");
        line("- Machine: %s", circumstances.machine());
        line(
                "- Servers: this tree's packaged server%s; the same JDK, heap and collector (G1), one process at a time, a new"
                        + " and empty store for each run",
                circumstances
                        .apache()
                        .map(version -> " and Apache RocketMQ " + version + " from Maven Central with its own defaults")
                        .orElse(""));
        line(
                "- Runs: %d of each, the servers in turn; warm-up %d ms, window %d ms, each at most 2,000,000 messages",
                circumstances.runs(), circumstances.warmMillis(), circumstances.millis());
        line(
                "- CPU is that of the server process (user and system) in the window, from /proc; the load generator shares"
                        + " the machine");
        line("- Every figure is the median (least..largest) over all runs");
        line(
                "- A run does not count when other processes used over 5 %% of the machine or a request was refused. A target"
                        + " needs %d runs that count, else it is *not a verdict*",
                Target.RUNS_MIN);
    }

    private void targets() {
        line("");
        line("## Targets");
        line("");
        line("| target | runs that count | figure of those | figure of all runs | result |");
        line("|---|---|---|---|---|");
        for (Targets.Outcome outcome : Targets.judge(results)) {
            Figure figure = outcome.figure();
            line(
                    "| %s | %d of %d | %s | %s | %s |",
                    outcome.target().text(),
                    figure.quiet().map(Spread::runs).orElse(0),
                    figure.all().runs(),
                    figure.quiet().map(Spread::text).orElse("-"),
                    figure.all().text(),
                    outcome.verdict().words());
        }
    }

    private void figures() {
        line("");
        line("## Figures");
        for (Workload workload : Workload.values()) {
            if (results.of(Targets.ANSER, workload).isEmpty()) {
                continue;
            }
            line("");
            line("### %s", workload.id());
            line("");
            line("%s. Durability: %s.", capitalized(workload.text()), workload.durability());
            line("");
            line("| | anser | apache | anser / apache |");
            line("|---|---|---|---|");
            rows(workload);
        }
    }

    private void rows(Workload workload) {
        if (workload.isRestart()) {
            row("messages in the store", workload, RunResult::messages);
            row("seconds", workload, RunResult::seconds);
            row("CPU-seconds", workload, RunResult::cpu);
        } else if (workload.isIdle()) {
            row("CPU, % of a core", workload, RunResult::cpu);
        } else {
            row("messages/s", workload, RunResult::messagesPerSecond);
            row("CPU-seconds per million", workload, RunResult::cpu);
            row("p50, ms", workload, run -> run.p50Nanos() / NANOS_PER_MILLI);
            row("p99, ms", workload, run -> run.p99Nanos() / NANOS_PER_MILLI);
        }
        if (workload.durable()) {
            row("flush time, ms", workload, run -> run.flushSeconds() * MILLIS_PER_SECOND);
        }
        row(
                "resident memory without mapped files, MiB",
                workload,
                run -> run.memory().residentBytes() / MIB);
        row("threads", workload, run -> run.memory().threads());
        row(
                "used by other processes, % of the machine",
                workload, run -> run.usage().othersShare() * PERCENT);
    }

    private void row(String name, Workload workload, ToDoubleFunction<RunResult> value) {
        line(
                "| %s | %s | %s | %s |",
                name,
                text(results.figure(Targets.ANSER, workload, value)),
                text(results.figure(Targets.APACHE, workload, value)),
                name.startsWith("used") || name.startsWith("flush")
                        ? ""
                        : text(results.ratio(Targets.ANSER, Targets.APACHE, workload, value)));
    }

    private static String text(Optional<Figure> figure) {
        return figure.map(each -> each.all().text()).orElse("-");
    }

    private void refusals() {
        results.runs().stream().filter(run -> run.failures() > 0).forEach(run -> {
            line("");
            line(
                    "Run %d of %s at %s had %d refused requests, the first answer was `%s`.",
                    run.number(), run.peer(), run.workload().id(), run.failures(), run.firstFailure());
        });
    }

    private static String capitalized(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    /** One run for a reader who waits. */
    static String progress(RunResult run) {
        if (run.workload().isRestart()) {
            return String.format(
                    Locale.ROOT,
                    "%-14s %-7s run %d: %.2f s with %,d messages, %.2f CPU-s%s",
                    run.workload().id(),
                    run.peer(),
                    run.number(),
                    run.seconds(),
                    run.messages(),
                    run.cpu(),
                    noise(run));
        }
        return String.format(
                Locale.ROOT,
                "%-14s %-7s run %d: %,.0f messages/s, %.2f %s, p50 %.2f ms, p99 %.2f ms%s%s",
                run.workload().id(),
                run.peer(),
                run.number(),
                run.messagesPerSecond(),
                run.cpu(),
                run.workload().isIdle() ? "% of a core" : "CPU-s per million",
                run.p50Nanos() / NANOS_PER_MILLI,
                run.p99Nanos() / NANOS_PER_MILLI,
                noise(run),
                run.failures() == 0 ? "" : "; not a verdict: refused " + run.failures() + " " + run.firstFailure());
    }

    private static String noise(RunResult run) {
        return run.usage().isQuiet()
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; not a verdict: others used %.0f %% of the machine",
                        run.usage().othersShare() * PERCENT);
    }

    /** One run as a line of JSON. */
    static String json(RunResult run) {
        byte[] json = new JsonWriter(JsonDialect.STANDARD)
                .beginObject()
                .member("workload", run.workload().id())
                .member("server", run.peer())
                .member("run", run.number())
                .member("durability", run.workload().durable() ? "disk" : "memory")
                .member("messages", run.messages())
                .member("seconds", run.seconds())
                .member("messagesPerSecond", run.messagesPerSecond())
                .member("cpuSeconds", run.usage().server())
                .member(
                        run.workload().isRestart()
                                ? "cpu"
                                : run.workload().isIdle() ? "cpuPercentOfCore" : "cpuSecondsPerMillion",
                        run.cpu())
                .member("p50Nanos", run.p50Nanos())
                .member("p99Nanos", run.p99Nanos())
                .member("flushSeconds", run.flushSeconds())
                .member("residentBytes", run.memory().residentBytes())
                .member("threads", run.memory().threads())
                .member("othersShare", run.usage().othersShare())
                .member("failures", run.failures())
                .member("verdict", run.isVerdict())
                .endObject()
                .toBytes();
        return new String(json, StandardCharsets.UTF_8);
    }
}
