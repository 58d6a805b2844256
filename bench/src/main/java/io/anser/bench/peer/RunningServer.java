package io.anser.bench.peer;

import io.anser.bench.load.AdminConnection;
import io.anser.system.Clock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A server that takes requests, with the processes that belong to it.
 *
 * @param address where clients connect
 * @param broker the process whose costs are counted
 * @param others further processes of it, such as a name server
 */
public record RunningServer(InetSocketAddress address, Process broker, List<Process> others) {
    /** Apache's broker needs 9 CPU-seconds to start: 9 s on two cores that do nothing else, minutes on busy ones. */
    private static final long START_SECONDS = 300;

    /** An answer that a starting server owes must not use up the time that it has. */
    private static final int PROBE_MILLIS = 5_000;

    private static final int SHOWN_LINES = 30;
    private static final long POLL_MILLIS = 20;
    private static final long STOP_SECONDS = 60;

    /** Waits until a server that was just started takes a topic. */
    static RunningServer await(InetSocketAddress address, Process broker, List<Process> others, Path output)
            throws IOException {
        RunningServer server = new RunningServer(address, broker, others);
        Clock clock = Clock.system();
        long from = clock.nanos();
        Optional<IOException> refusal = server.probe();
        while (refusal.isPresent()) {
            if (!broker.isAlive()) {
                throw server.failed("the server ended with code " + broker.exitValue() + " while it started", output);
            }
            if (clock.nanos() - from > TimeUnit.SECONDS.toNanos(START_SECONDS)) {
                throw server.failed(
                        "the server took no topic within " + START_SECONDS + " s (" + refusal.get() + ")", output);
            }
            server.pause();
            refusal = server.probe();
        }
        return server;
    }

    /** Kills what is left of a server that did not start, and tells the end of what it said. */
    private IOException failed(String what, Path output) throws IOException {
        kill();
        List<String> lines = Files.readAllLines(output);
        List<String> last = lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size());
        return new IOException(what + "; the end of its output in " + output + ":\n" + String.join("\n", last));
    }

    /** Why it takes no topic yet; empty if it does. */
    private Optional<IOException> probe() {
        try (AdminConnection admin = new AdminConnection(address, PROBE_MILLIS)) {
            admin.createTopic("bench-started", 1);
            return Optional.empty();
        } catch (IOException notYet) {
            return Optional.of(notYet);
        }
    }

    /** Waits a moment, but not for longer than the server lives. */
    private void pause() throws IOException {
        try {
            broker.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
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
        List<Process> all = new ArrayList<>(List.of(broker));
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
