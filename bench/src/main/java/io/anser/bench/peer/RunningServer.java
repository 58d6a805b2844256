package io.anser.bench.peer;

import io.anser.bench.load.AdminConnection;
import io.anser.system.Clock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A server that takes requests, with the processes that belong to it.
 *
 * @param address where clients connect
 * @param broker the process whose costs are counted
 * @param others further processes of it, such as a name server
 */
public record RunningServer(InetSocketAddress address, Process broker, List<Process> others) {
    private static final long START_NANOS = 120_000_000_000L;
    private static final long POLL_MILLIS = 20;
    private static final long STOP_SECONDS = 60;

    /** Waits until a server that was just started takes a topic. */
    static RunningServer await(InetSocketAddress address, Process broker, List<Process> others, Path output)
            throws IOException {
        RunningServer server = new RunningServer(address, broker, others);
        Clock clock = Clock.system();
        long from = clock.nanos();
        while (!server.answers()) {
            if (!broker.isAlive() || clock.nanos() - from > START_NANOS) {
                server.kill();
                throw new IOException("the server did not start; its output is in " + output);
            }
            server.pause();
        }
        return server;
    }

    private boolean answers() {
        try (AdminConnection admin = new AdminConnection(address)) {
            admin.createTopic("bench-started", 1);
            return true;
        } catch (IOException e) {
            return false; // not yet
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
