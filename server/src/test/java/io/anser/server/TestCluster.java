package io.anser.server;

import static org.awaitility.Awaitility.await;

import io.anser.raft.GroupEngine;
import io.anser.server.settings.Settings;
import io.anser.server.settings.SettingsLoader;
import io.anser.system.FreePorts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine;

/** A name server and the brokers of one replicated group in one process, and the command line on them. */
final class TestCluster implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path data;
    private final List<String> common;
    private final ServerProcess nameServer;
    private final Map<Integer, ServerProcess> brokers = new TreeMap<>();
    private final Map<Integer, Integer> ports = new TreeMap<>();

    /** What a command printed, and how it ended. */
    record Printed(int exitCode, String out, String err) {}

    TestCluster(Path data, int size) throws IOException {
        this(data, size, List.of());
    }

    TestCluster(Path data, int size, List<String> common) throws IOException {
        this.data = data;
        this.common = List.copyOf(common);
        this.nameServer = ServerProcess.start(
                Role.NAMESERVER, settings(common), new ListenAddress("127.0.0.1", 0), data.resolve("names"));
        List<Integer> free = freePorts(size);
        for (int member = 0; member < size; member++) {
            ports.put(member, free.get(member));
        }
        for (int member = 0; member < size; member++) {
            start(member);
        }
    }

    static List<Integer> freePorts(int count) throws IOException {
        int first = FreePorts.row(count);
        return IntStream.range(first, first + count).boxed().toList();
    }

    static Settings settings(List<String> assignments) {
        return SettingsLoader.load(ServerProcess.catalog(), Optional.empty(), Map.of(), assignments);
    }

    /** Starts a member, the first time or again. */
    void start(int member) {
        String members = ports.entrySet().stream()
                .map(entry -> entry.getKey() + "=127.0.0.1:" + entry.getValue())
                .collect(Collectors.joining(","));
        List<String> assignments = new ArrayList<>(common);
        assignments.add("broker.nameservers=" + nameServer());
        assignments.add("store.segment-bytes=1048576");
        assignments.add("replication.mode=raft");
        assignments.add("replication.members=" + members);
        assignments.add("replication.member=" + member);
        brokers.put(
                member,
                ServerProcess.start(
                        Role.BROKER,
                        settings(assignments),
                        new ListenAddress("127.0.0.1", ports.get(member)),
                        data.resolve("broker" + member)));
    }

    /** Starts a member that the others do not know, and returns its number. */
    int startOneMore() throws IOException {
        int member = ports.size();
        ports.put(member, freePorts(1).get(0));
        start(member);
        return member;
    }

    void stop(int member) {
        brokers.remove(member).close();
    }

    String nameServer() {
        return "127.0.0.1:" + nameServer.address().getPort();
    }

    String address(int member) {
        return "127.0.0.1:" + ports.get(member);
    }

    ServerProcess process(int member) {
        return brokers.get(member);
    }

    /** A member beside one. */
    int other(int not) {
        return brokers.keySet().stream()
                .filter(member -> member != not)
                .findFirst()
                .orElseThrow();
    }

    int leader() {
        await().atMost(PATIENCE).until(() -> leading().isPresent());
        return leading().orElseThrow();
    }

    private Optional<Integer> leading() {
        return brokers.entrySet().stream()
                .filter(entry ->
                        entry.getValue().engine().map(GroupEngine::leads).orElse(false))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Runs a command in this process. */
    static Printed run(String... arguments) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ByteArrayOutputStream wrong = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(wrong, true, StandardCharsets.UTF_8));
        try {
            int exitCode = new CommandLine(new Main())
                    .setCaseInsensitiveEnumValuesAllowed(true)
                    .execute(arguments);
            return new Printed(exitCode, withoutLog(printed), withoutLog(wrong));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    /** Members of this process may log meanwhile. */
    private static String withoutLog(ByteArrayOutputStream output) {
        return output.toString(StandardCharsets.UTF_8).replaceAll("(?m)^\\d\\d:\\d\\d:\\d\\d\\.\\d{3} .*\\R", "");
    }

    @Override
    public void close() {
        brokers.values().forEach(ServerProcess::close);
        nameServer.close();
    }
}
