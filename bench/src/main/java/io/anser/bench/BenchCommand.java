package io.anser.bench;

import io.anser.bench.machine.FreeMemory;
import io.anser.bench.machine.Machine;
import io.anser.bench.peer.AnserPeer;
import io.anser.bench.peer.ApachePeer;
import io.anser.bench.peer.Peer;
import io.anser.protocol.json.MalformedJsonException;
import io.anser.system.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of {@code ./anser bench}: runs every workload on every server in turn and reports. */
@Command(
        name = "anser bench",
        description = "Measures the packaged server, on request beside Apache RocketMQ, under the same load.",
        mixinStandardHelpOptions = true,
        footer = {"", "./anser bench micro [options of JMH] runs the microbenchmarks of the store."})
public final class BenchCommand implements Callable<Integer> {
    private static final String HEAP = "2g";
    private static final int FAILED = 1;
    private static final int USAGE = 2;

    @Option(names = "--home", hidden = true, description = "Root of the source tree.")
    private Path home = Path.of("").toAbsolutePath();

    @Option(
            names = "--vs",
            paramLabel = "SERVER",
            description = "Whom to compare with: apache, fetched from Maven Central.")
    private @Nullable String vs;

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "Runs of each server and workload (default: ${DEFAULT-VALUE}).")
    private int runs = 5;

    @Option(names = "--only", split = ",", paramLabel = "WORKLOAD", description = "These workloads only.")
    private List<String> only = new ArrayList<>();

    @Option(
            names = "--warmup",
            paramLabel = "MILLIS",
            description = "Time before the window that counts, at least, besides " + Amounts.WARM_MESSAGES
                    + " messages and " + Amounts.WARM_REQUESTS + " requests (default: ${DEFAULT-VALUE}).")
    private long warmMillis = 5_000;

    @Option(
            names = "--window",
            paramLabel = "MILLIS",
            description = "Length of the window that counts (default: ${DEFAULT-VALUE}).")
    private long millis = 6_000;

    @Option(names = "--quick", description = "One run of 3 s: shows that everything works, says nothing else.")
    private boolean quick;

    @Option(names = "--out", paramLabel = "FILE", description = "Where the page goes (default: standard output).")
    private @Nullable Path out;

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            description = "json: a line for each run on standard output as soon as it is over.")
    private String output = "text";

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description = "Measures nothing; the page is made of what --output json wrote, of joined files as well.")
    private @Nullable Path from;

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description = "Where the servers keep their stores (default: target/bench); names the device.")
    private @Nullable Path work;

    private BenchCommand() {}

    /**
     * Runs the command and ends the process.
     *
     * @param arguments the command line
     */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new BenchCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (from != null) {
            return reportSaved(from);
        }
        if (vs != null && !vs.equals(Targets.APACHE)) {
            System.err.println("anser bench: --vs knows only apache, not " + vs);
            return USAGE;
        }
        List<Workload> workloads;
        try {
            workloads = only.isEmpty()
                    ? List.of(Workload.values())
                    : only.stream().map(Workload::of).toList();
        } catch (IllegalArgumentException e) {
            System.err.println("anser bench: " + e.getMessage());
            return USAGE;
        }
        if (quick) {
            runs = 1;
            warmMillis = 1000;
            millis = 3000;
        }
        Path folder = work == null ? home.resolve("target/bench") : work;
        Files.createDirectories(folder);
        List<Peer> peers = peers();
        Circumstances circumstances = circumstances(folder, peers);
        if (output.equals("json")) {
            System.out.println(SavedRuns.line(circumstances));
        }
        List<RunResult> results = new ArrayList<>();
        boolean complete;
        try (FreeMemory memory = new FreeMemory(folder)) {
            Amounts amounts = quick ? Amounts.quick() : Amounts.full(warmMillis, millis);
            complete = runAll(workloads, peers, new Runner(folder, amounts, memory, Clock.system()), results);
        }
        report(circumstances, new Results(results));
        return complete ? 0 : FAILED;
    }

    private boolean runAll(List<Workload> workloads, List<Peer> peers, Runner runner, List<RunResult> results) {
        boolean complete = true;
        for (Workload workload : workloads) {
            for (int number = 1; number <= runs; number++) {
                for (Peer peer : peers) {
                    if (!peer.name().equals(Targets.APACHE) || workload.isBesideApache(number)) {
                        complete &= run(runner, peer, workload, number, results);
                    }
                }
            }
        }
        return complete;
    }

    private List<Peer> peers() throws IOException, InterruptedException {
        List<Peer> peers = new ArrayList<>();
        peers.add(new AnserPeer(home.resolve("server/target/anser/bin/anser"), HEAP));
        if (vs != null) {
            Optional<Path> lib = ApachePeer.fetch(home.resolve("target/bench-apache"));
            if (lib.isPresent()) {
                peers.add(new ApachePeer(lib.get(), HEAP));
            } else {
                System.err.println("anser bench: without Apache RocketMQ, there are no ratios");
            }
        }
        return peers;
    }

    /** A server that fails in one run is told of, and does not end the others. */
    private boolean run(Runner runner, Peer peer, Workload workload, int number, List<RunResult> results) {
        long started = Clock.system().nanos();
        try {
            RunResult result = runner.run(peer, workload, number);
            results.add(result);
            long seconds = TimeUnit.NANOSECONDS.toSeconds(Clock.system().nanos() - started);
            System.err.println(Report.progress(result) + "; took " + seconds + " s");
            if (output.equals("json")) {
                System.out.println(SavedRuns.line(result));
            }
            return true;
        } catch (IOException | RuntimeException e) {
            System.err.println("anser bench: " + workload.id() + " on " + peer.name() + " failed: " + e);
            return false;
        }
    }

    private int reportSaved(Path file) throws IOException {
        try {
            SavedRuns saved = SavedRuns.read(Files.readAllLines(file));
            report(saved.circumstances(), new Results(saved.runs()));
            return 0;
        } catch (IllegalArgumentException | MalformedJsonException e) {
            System.err.println("anser bench: " + file + " holds no saved runs: " + e.getMessage());
            return USAGE;
        }
    }

    private Circumstances circumstances(Path folder, List<Peer> peers) {
        return new Circumstances(
                Machine.describe(folder),
                command(),
                Instant.ofEpochMilli(Clock.system().wallMillis())
                        .atZone(ZoneOffset.UTC)
                        .toLocalDate()
                        .toString(),
                runs,
                warmMillis,
                millis,
                peers.size() > 1 ? Optional.of(ApachePeer.VERSION) : Optional.empty());
    }

    private void report(Circumstances circumstances, Results results) throws IOException {
        String page = Report.markdown(circumstances, results);
        if (out != null) {
            Files.writeString(out, page);
        } else if (!output.equals("json")) {
            System.out.print(page);
        }
    }

    private String command() {
        StringBuilder command = new StringBuilder("./anser bench");
        if (vs != null) {
            command.append(" --vs ").append(vs);
        }
        if (!only.isEmpty()) {
            command.append(" --only ").append(String.join(",", only));
        }
        return command.append(
                        quick ? " --quick" : " --runs " + runs + " --warmup " + warmMillis + " --window " + millis)
                .toString();
    }
}
