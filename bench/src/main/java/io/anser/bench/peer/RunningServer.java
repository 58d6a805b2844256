package io.anser.bench.peer;

import io.anser.bench.load.AdminConnection;
import io.anser.protocol.body.BrokerData;
import io.anser.system.Clock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A server, or a group of them, that takes requests, with the processes that belong to it.
 *
 * @param address where clients connect
 * @param brokers the processes whose costs are counted; at least one
 * @param others further processes of it, such as a name server
 */
public record RunningServer(InetSocketAddress address, List<Process> brokers, List<Process> others) {
    /** Apache's broker needs 9 CPU-seconds to start: 9 s on two cores that do nothing else, minutes on busy ones. */
    private static final long START_SECONDS = 300;

    /** An answer that a starting server owes must not use up the time that it has. */
    private static final int PROBE_MILLIS = 5_000;

    private static final int SHOWN_LINES = 30;
    private static final long POLL_MILLIS = 20;
    private static final long STOP_SECONDS = 60;

    /** Copies the lists. */
    public RunningServer {
        brokers = List.copyOf(brokers);
        others = List.copyOf(others);
    }

    /** Waits until a server that was just started takes a topic. */
    static RunningServer await(InetSocketAddress address, Process broker, List<Process> others, Path output)
            throws IOException {
        RunningServer server = new RunningServer(address, List.of(broker), others);
        server.await(
                () -> {
                    createTopic(address);
                    return address;
                },
                output);
        return server;
    }

    /**
     * Waits until the members of a group that were just started have a leader which takes a topic.
     *
     * @return the group, with the leader's address
     */
    static RunningServer awaitGroup(
            InetSocketAddress nameServer, List<Process> brokers, List<Process> others, Path output) throws IOException {
        RunningServer unknown = new RunningServer(nameServer, brokers, others);
        InetSocketAddress leader = unknown.await(() -> leader(nameServer, brokers.size()), output);
        return new RunningServer(leader, brokers, others);
    }

    /** The only broker, or the first of a group. */
    public Process broker() {
        return brokers.get(0);
    }

    /** What shows that a server has started. */
    private interface Probe {
        /** Asks it; fails as long as it has not. */
        InetSocketAddress ask() throws IOException;
    }

    private static void createTopic(InetSocketAddress address) throws IOException {
        try (AdminConnection admin = new AdminConnection(address, PROBE_MILLIS)) {
            admin.createTopic("bench-started", 1);
        }
    }

    private static InetSocketAddress leader(InetSocketAddress nameServer, int members) throws IOException {
        createTopic(registeredLeader(nameServer, members));
        return registeredLeader(nameServer, members); // once more: whoever took the topic may have passed it on
    }

    private static InetSocketAddress registeredLeader(InetSocketAddress nameServer, int members) throws IOException {
        try (AdminConnection admin = new AdminConnection(nameServer, PROBE_MILLIS)) {
            BrokerData group = admin.brokers().stream()
                    .filter(each -> each.brokerAddrs().size() == members)
                    .findFirst()
                    .orElseThrow(() -> new IOException("not all members are registered"));
            String address = group.master().orElseThrow(() -> new IOException("no leader is registered"));
            return new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), Integer.parseInt(address.substring(address.indexOf(':') + 1)));
        }
    }

    private InetSocketAddress await(Probe probe, Path output) throws IOException {
        Clock clock = Clock.system();
        long from = clock.nanos();
        while (true) {
            try {
                return probe.ask();
            } catch (IOException notYet) {
                for (Process broker : brokers) {
                    if (!broker.isAlive()) {
                        throw failed("the server ended with code " + broker.exitValue() + " while it started", output);
                    }
                }
                if (clock.nanos() - from > TimeUnit.SECONDS.toNanos(START_SECONDS)) {
                    throw failed("the server took no topic within " + START_SECONDS + " s (" + notYet + ")", output);
                }
                pause();
            }
        }
    }

    /** Kills what is left of a server that did not start, and tells the end of what it said. */
    private IOException failed(String what, Path output) throws IOException {
        kill();
        List<String> lines = Files.readAllLines(output);
        List<String> last = lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size());
        return new IOException(what + "; the end of its output in " + output + ":\n" + String.join("\n", last));
    }

    /** Waits a moment, but not for longer than the server lives. */
    private void pause() throws IOException {
        try {
            broker().waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the server started", e);
        }
    }

    /** Ends it at once, as kill -9 does; nothing happens to one that has ended. */
    public void kill() {
        end(true);
    }

    /** Stops it as SIGTERM does, and waits until it has ended. */
    public void stop() {
        end(false);
    }

    private void end(boolean atOnce) {
        List<Process> all = new ArrayList<>(brokers);
        all.addAll(others);
        for (Process process : all) {
            if (atOnce) {
                process.destroyForcibly();
            } else {
                process.destroy();
            }
            awaitEnd(process);
        }
    }

    private static void awaitEnd(Process process) {
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
