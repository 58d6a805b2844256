package io.anser.bench.peer;

import io.anser.system.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * This project's packaged server: name server and broker in one process, or a group of brokers.
 *
 * @param launcher the script that starts it
 * @param heap largest and first size of the heap, such as {@code 2g}
 */
public record AnserPeer(Path launcher, String heap) implements Peer {
    private static final int MEMBERS = 3;
    private static final String NAME_SERVER_HEAP = "128m";

    @Override
    public String name() {
        return "anser";
    }

    @Override
    public RunningServer start(boolean durable, Path folder) throws IOException {
        int port = FreePorts.row(1);
        Path output = folder.resolve("anser.out");
        Process server = launch("server", heap, port, folder.resolve("store"), output, "--set", durability(durable));
        return RunningServer.await(loopback(port), server, List.of(), output);
    }

    @Override
    public RunningServer startGroup(boolean durable, Path folder) throws IOException {
        int first = FreePorts.row(1 + MEMBERS);
        Path output = folder.resolve("anser.out");
        Process nameServer = launch("nameserver", NAME_SERVER_HEAP, first, folder.resolve("names"), output);
        String members = IntStream.range(0, MEMBERS)
                .mapToObj(member -> member + "=127.0.0.1:" + (first + 1 + member))
                .collect(Collectors.joining(","));
        List<Process> brokers = new ArrayList<>();
        for (int member = 0; member < MEMBERS; member++) {
            brokers.add(launch(
                    "broker",
                    heap,
                    first + 1 + member,
                    folder.resolve("store-" + member),
                    output,
                    "--nameservers",
                    "127.0.0.1:" + first,
                    "--replication",
                    "raft",
                    "--members",
                    members,
                    "--member",
                    Integer.toString(member),
                    "--set",
                    durability(durable)));
        }
        return RunningServer.awaitGroup(loopback(first), brokers, List.of(nameServer), output);
    }

    private Process launch(String role, String size, int port, Path data, Path output, String... further)
            throws IOException {
        List<String> command = new ArrayList<>(
                List.of(launcher.toString(), role, "--data", data.toString(), "--listen", "127.0.0.1:" + port));
        command.addAll(List.of(further));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(Map.of("ANSER_HEAP", size, "ANSER_JAVA_OPTS", "-Xms" + size + " -XX:+UseG1GC"));
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        return builder.start();
    }

    private static String durability(boolean durable) {
        return "store.durability=" + (durable ? "disk" : "memory");
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    @Override
    public List<Path> indexes(Path folder) {
        return List.of(folder.resolve("store/index"), folder.resolve("store/snapshot"));
    }
}
