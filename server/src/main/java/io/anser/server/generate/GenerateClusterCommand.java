package io.anser.server.generate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Writes the settings files of a small cluster. */
@Command(
        name = "cluster",
        description = {
            "Writes the settings file of each process of a small cluster: every process is a name server and a member of every",
            "group, and each group's lead is meant for another process. Prints the commands that start them."
        },
        mixinStandardHelpOptions = true)
final class GenerateClusterCommand implements Callable<Integer> {
    private static final int USAGE = 2;
    private static final int FAILED = 1;

    @Option(
            names = "--hosts",
            split = ",",
            paramLabel = "HOST",
            description = "A host for each process, three or five, divided by commas; the same again for several on one"
                    + " (default: three on this machine).")
    private List<String> hosts = List.of("127.0.0.1", "127.0.0.1", "127.0.0.1");

    @Option(names = "--groups", paramLabel = "N", description = "How many groups (default: ${DEFAULT-VALUE}).")
    private int groups = 3;

    @Option(names = "--cluster", paramLabel = "NAME", description = "Name of the cluster (default: ${DEFAULT-VALUE}).")
    private String cluster = "DefaultCluster";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Of the first name server on a host (default: ${DEFAULT-VALUE}).")
    private int port = 9876;

    @Option(
            names = "--broker-port",
            paramLabel = "PORT",
            description = "Of the first broker on a host (default: ${DEFAULT-VALUE}).")
    private int brokerPort = 10911;

    @Option(
            names = "--secret",
            paramLabel = "FILE",
            description = "Where each process finds the secret of the cluster, see anser cluster secret.")
    @Nullable
    private String secret;

    @Option(names = "--to", paramLabel = "DIR", description = "Where the files go (default: the current folder).")
    private Path folder = Path.of("");

    @Override
    public Integer call() {
        ClusterPlan plan;
        try {
            plan = new ClusterPlan(cluster, hosts, groups, port, brokerPort, Optional.ofNullable(secret));
        } catch (IllegalArgumentException e) {
            System.err.println("anser: " + e.getMessage());
            return USAGE;
        }
        try {
            for (int process = 0; process < hosts.size(); process++) {
                write(folder.resolve(ClusterPlan.file(process)), plan.settings(process));
            }
        } catch (UncheckedIOException e) {
            System.err.println("anser: " + e.getMessage());
            return FAILED;
        }
        plan.commands().forEach(System.out::println);
        return 0;
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
