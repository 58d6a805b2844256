package io.anser.server.demo;

import io.anser.client.AnserException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code anser demo}: exit code 0 when everything arrived, 1 with the differences otherwise. */
@Command(
        name = "demo",
        description = {
            "Sends orders through a cluster of its own, three brokers and two name servers, kills the broker that leads and a",
            "name server on the way, and counts: nothing lost."
        },
        mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {
    private static final int MAX_DIFFERENCES = 20;

    @Option(names = "--keep", description = "Leaves the servers running, and their data.")
    private boolean keep;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "How often the data file is sent (default: ${DEFAULT-VALUE}).")
    private int rounds = 10;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintStream out = System.out;
        if (rounds < 1) {
            System.err.println("anser: --rounds " + rounds + " is less than 1");
            return 2;
        }
        // The client logs what it sees of the kill; the story tells it better.
        System.setProperty("ANSER_LOG_LEVEL", "off");
        Path folder = Files.createTempDirectory("anser-demo-");
        try {
            List<String> differences = new Demo(out, onTerminal(), folder, rounds, keep).run();
            if (differences.isEmpty()) {
                out.println("nothing lost, nothing altered, every order in order");
                return 0;
            }
            differences.stream().limit(MAX_DIFFERENCES).forEach(System.err::println);
            System.err.println("anser: " + differences.size() + " differences between what was sent and what arrived");
            return 1;
        } catch (DemoFailure | AnserException e) {
            System.err.println("anser: " + e.getMessage());
            return 1;
        } finally {
            if (!keep) {
                delete(folder);
            }
        }
    }

    // JDK 22 to 24 have a console without a terminal as well; the script sets jdk.console to the one that has not.
    @SuppressWarnings("SystemConsoleNull")
    private static boolean onTerminal() {
        return System.console() != null;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(DemoCommand::deleteOne);
        }
    }

    private static void deleteOne(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
