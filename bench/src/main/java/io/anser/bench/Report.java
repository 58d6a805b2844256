package io.anser.bench;

import io.anser.bench.Results.Figure;
import io.anser.bench.stats.Spread;
import io.anser.bench.stats.Target;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** Results as a page in Markdown, and single runs as lines for who waits. Pure. */
final class Report {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final double MIB = 1 << 20;
    private static final double PERCENT = 100;

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
        report.notes();
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
                "- Servers: this tree's packaged server%s; the same JDK, heap and collector (G1), one server at a time, a new"
                        + " process and an empty store for each run",
                circumstances
                        .apache()
                        .map(version -> " and Apache RocketMQ " + version
                                + " from Maven Central with its own defaults but for enablePropertyFilter=true")
                        .orElse(""));
        line(
                "- Runs: %d of each, the servers in turn. The warm-up takes at least %d ms%s, the window that counts %d ms or"
                        + " %,d messages sent",
                circumstances.runs(),
                circumstances.warmMillis(),
                circumstances.command().contains(" --quick")
                        ? ""
                        : ", %,d messages and %,d requests, and until the server's JIT compilers use less than 5 %% of a core (at most %,d ms or %,d messages sent)"
                                .formatted(
                                        Amounts.WARM_MESSAGES,
                                        Amounts.WARM_REQUESTS,
                                        Amounts.WARM_MOST_MILLIS,
                                        Workload.WARM_UP_MESSAGES_MAX),
                circumstances.millis(),
                Workload.PHASE_MESSAGES);
        line("- Every figure is the median (least..largest) over all runs");
        line(
                "- A run does not count when other processes used over 5 %% of the machine, the host took over 10 %% of it, or"
                        + " over 0.1 %% of its requests were refused. A target needs %d runs that count, else it is *not a"
                        + " verdict*",
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
        switch (workload.kind()) {
            case RESTART -> {
                row("messages in the store", workload, RunResult::messages);
                row("seconds until a request is served", workload, RunResult::seconds);
                row("CPU-seconds of the start", workload, RunResult::cpu);
            }
            case IDLE -> row("CPU, % of a core", workload, RunResult::cpu);
            case LOAD, COLD_READ, DELIVERY, TIMERS -> {
                row("messages/s", workload, RunResult::messagesPerSecond);
                row("CPU-seconds per million", workload, RunResult::cpu);
                row("p50, ms", workload, run -> run.p50Nanos() / NANOS_PER_MILLI);
                row("p99, ms", workload, run -> run.p99Nanos() / NANOS_PER_MILLI);
            }
            case APPEND -> row("seconds of a burst", workload, RunResult::seconds);
        }
        details(workload);
        if (workload.durable()) {
            row("flush time, ms", workload, run -> run.flushSeconds() * MILLIS_PER_SECOND);
        }
        if (workload.kind() != Workload.Kind.APPEND) {
            row(
                    "resident memory without mapped files, MiB",
                    workload,
                    run -> run.memory().residentBytes() / MIB);
            row("threads", workload, run -> run.memory().threads());
        }
        row(
                "used by threads of the kernel, % of the machine",
                workload, run -> run.usage().kernelShare() * PERCENT);
        row(
                "used by other processes, % of the machine",
                workload, run -> run.usage().othersShare() * PERCENT);
        row("taken by the host, % of the machine", workload, run -> run.usage().stolenShare() * PERCENT);
    }

    private void details(Workload workload) {
        RunResult any = results.of(Targets.ANSER, workload).get(0);
        for (Detail detail : Detail.values()) {
            if (any.details().containsKey(detail)) {
                row(detail.text(), workload, run -> run.detail(detail));
            }
        }
    }

    private void row(String name, Workload workload, ToDoubleFunction<RunResult> value) {
        line(
                "| %s | %s | %s | %s |",
                name,
                text(results.figure(Targets.ANSER, workload, value)),
                text(results.figure(Targets.APACHE, workload, value)),
                name.endsWith("of the machine") || name.startsWith("flush")
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

    private void notes() {
        line("");
        line("## How to read it");
        line("");
        line(
                "- CPU is user and system time of the server's process in the window, from /proc. Apache's name server is a"
                        + " process of its own and not in its figure; ours is in the same process and is. Threads of the kernel,"
                        + " which write back what a server wrote, are charged to no process and shown in a row of their own.");
        line(
                "- The load generator is one thread on the same machine. Where a server is faster than it or than the cores that"
                        + " both share, messages/s say little; CPU per message says what the server costs.");
        line(
                "- *Other processes* are all busy time of the machine less the server, the load generator and the threads of"
                        + " the kernel. What the host of a virtual machine took is a row of its own: it took it for others, or to"
                        + " do what the run asked of it, above all of the device.");
        line(
                "- At durability *disk* an acknowledgement means flushed to the device, at *memory* taken into the page cache;"
                        + " Apache's names for them are SYNC_FLUSH and ASYNC_FLUSH. The flush time is measured right before each"
                        + " run on the same device: 64 KiB over existing space, then fdatasync, the median of 256.");
        line(
                "- Before each run the store of the one before is removed and everything is written to the device (`sync`), so"
                        + " that no run does the work of another. Then all free memory is given to the page cache, by reading a"
                        + " file without blocks, as on a machine that has been running for a while: the host of a virtual"
                        + " machine takes free memory back, and giving it again costs more than what a server does with it.");
        line(
                "- *append* is JMH without a server: `./anser bench micro Append`. The core-seconds are CPU time of the one"
                        + " thread that encodes, writes, indexes and commits; allocation is that of all threads of the store:"
                        + " no object for a record, but 1 KB for 63 entries of a queue's index, which readers and snapshots"
                        + " share without a copy.");
        line(
                "- *cold-read*: the server that took the old messages is stopped, its files are taken out of the page cache"
                        + " (posix_fadvise), and a new one is started and warmed up with sends and with the first quarter of the old"
                        + " messages, for on two cores the JIT compiler would hide all else. The times with and without the"
                        + " cold group come from the same server, one after the other; the row on the device shows how much was"
                        + " really read from it. Apache's broker reads the newest segments of its log when it starts, which warms"
                        + " them.");
        line(
                "- *pop-ack*: messages/s, CPU and times are those of acknowledgements, each a request of its own; the pops that"
                        + " they belong to are in the CPU. A group that has had all messages is followed by the next, which"
                        + " begins at the front.");
        line(
                "- *filter-tag* and *filter-sql*: messages/s are those that the server has gone through, of which it delivers 1 in"
                        + " 100.");
        line(
                "- *delivery*: times are those from the writing of a send to the delivery of its message, longer than from its"
                        + " acknowledgement. *timers*: times are those from when all messages were due to their deliveries.");
        line(
                "- *Restarts* find the log in the page cache, as after the end of a process, not as after the end of a machine.");
        line(
                "- *live heap* is what stays after a full collection (`jcmd GC.class_histogram`), *files of indexes"
                        + " and snapshots* what they occupy on the device after a clean stop. Messages of restarts have a unique key each, so the index of keys is included.");
        line(
                "- Apache's server runs beside ours in every run of a workload whose target compares both, once where its figure"
                        + " is only shown, and not at all in restarts, which take it minutes, and with 100,000 queues: it keeps a"
                        + " file open and mapped for each, beyond what Linux allows a process by default.");
    }

    private static String capitalized(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    /** One run for a reader who waits. */
    static String progress(RunResult run) {
        String figures = switch (run.workload().kind()) {
            case RESTART ->
                String.format(
                        Locale.ROOT, "%.2f s with %,d messages, %.2f CPU-s", run.seconds(), run.messages(), run.cpu());
            case IDLE -> String.format(Locale.ROOT, "%.2f %% of a core", run.cpu());
            case APPEND -> String.format(Locale.ROOT, "%.2f s", run.seconds());
            case LOAD, COLD_READ, DELIVERY, TIMERS ->
                String.format(
                        Locale.ROOT,
                        "%,.0f messages/s, %.2f CPU-s per million, p50 %.2f ms, p99 %.2f ms",
                        run.messagesPerSecond(),
                        run.cpu(),
                        run.p50Nanos() / NANOS_PER_MILLI,
                        run.p99Nanos() / NANOS_PER_MILLI);
        };
        StringBuilder line = new StringBuilder(String.format(
                Locale.ROOT, "%-14s %-7s run %d: %s", run.workload().id(), run.peer(), run.number(), figures));
        new TreeMap<>(run.details())
                .forEach((detail, value) -> line.append(String.format(Locale.ROOT, "; %s %.4g", detail.id(), value)));
        return line + noise(run);
    }

    private static String noise(RunResult run) {
        return (run.usage().isQuiet()
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                "; not a verdict: others used %.0f %% of the machine, its host %.0f %%",
                                run.usage().othersShare() * PERCENT,
                                run.usage().stolenShare() * PERCENT))
                + (run.failures() == 0 ? "" : "; refused " + run.failures() + " " + run.firstFailure())
                + (run.isRefused() ? "; not a verdict" : "");
    }
}
