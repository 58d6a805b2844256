package io.anser.bench.reliability;

import io.anser.bench.machine.Command;
import io.anser.system.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** {@code ./anser reliability}: notes how tests ended that cover a failure, and writes the page of all of them. */
@CommandLine.Command(
        name = "reliability",
        mixinStandardHelpOptions = true,
        description = "Notes the results of the last ./anser test in docs/reliability/results.csv and writes"
                + " docs/reliability.md.")
public final class ReliabilityCommand implements Callable<Integer> {
    private static final String COMMENT = "#";
    private static final int GIT_SECONDS = 30;

    @Option(names = "--home", required = true, hidden = true)
    private Path home = Path.of(".");

    @Option(
            names = "--chaos",
            paramLabel = "FILE",
            description = "JSON lines of the chaos kit (its --out); may be given again.")
    private List<Path> chaos = new ArrayList<>();

    @Option(names = "--commit", paramLabel = "ID", description = "What was tested (default: the commit checked out).")
    private String commit = "";

    private ReliabilityCommand() {}

    /**
     * Runs the command and ends the process.
     *
     * @param arguments the command line
     */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new ReliabilityCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException {
        String tested = commit.isEmpty()
                ? Command.run(List.of("git", "-C", home.toString(), "rev-parse", "--short", "HEAD"), GIT_SECONDS)
                        .trim()
                : commit;
        String today = Instant.ofEpochMilli(Clock.system().wallMillis())
                .atZone(ZoneOffset.UTC)
                .toLocalDate()
                .toString();
        Map<String, Outcome> found = new HashMap<>(TestReports.read(home, tested, today));
        for (Path file : chaos) {
            ChaosReport.read(file, tested, today).forEach((id, outcome) -> found.merge(id, outcome, Outcome::and));
        }
        List<Failure> failures = failures(home);
        Map<String, Outcome> outcomes = new HashMap<>(results(home));
        Set<String> wanted = new HashSet<>();
        failures.forEach(failure -> wanted.addAll(failure.evidence()));
        outcomes.putAll(found);
        outcomes.keySet().retainAll(wanted);
        write(results(outcomes), resultsFile(home));
        write(ReliabilityPage.markdown(failures, outcomes), pageFile(home));
        System.out.println(found.keySet().stream().filter(wanted::contains).count() + " results noted of "
                + wanted.size() + " that are wanted");
        return 0;
    }

    /** The kinds of failure and their evidence. */
    static List<Failure> failures(Path home) throws IOException {
        return lines(home.resolve("docs/reliability/failures.csv")).stream()
                .map(Failure::parse)
                .toList();
    }

    /** What was noted so far, by evidence. */
    static Map<String, Outcome> results(Path home) throws IOException {
        Map<String, Outcome> outcomes = new HashMap<>();
        for (String line : lines(resultsFile(home))) {
            Outcome outcome = Outcome.parse(line);
            outcomes.put(outcome.evidence(), outcome);
        }
        return outcomes;
    }

    /** Where the page is. */
    static Path pageFile(Path home) {
        return home.resolve("docs/reliability.md");
    }

    private static Path resultsFile(Path home) {
        return home.resolve("docs/reliability/results.csv");
    }

    private static String results(Map<String, Outcome> outcomes) {
        StringBuilder text =
                new StringBuilder("# evidence;result;runs;seeds;commit;date, written by ./anser reliability\n");
        outcomes.values().stream()
                .sorted(Comparator.comparing(Outcome::evidence))
                .forEach(outcome -> text.append(outcome.line()).append('\n'));
        return text.toString();
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.exists(file)
                ? Files.readAllLines(file).stream()
                        .filter(line -> !line.isBlank() && !line.startsWith(COMMENT))
                        .toList()
                : List.of();
    }

    private static void write(String text, Path file) throws IOException {
        Files.writeString(file, text);
    }
}
