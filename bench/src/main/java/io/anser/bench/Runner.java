package io.anser.bench;

import io.anser.bench.load.LoadLoop;
import io.anser.bench.load.Tally;
import io.anser.bench.machine.FlushTime;
import io.anser.bench.machine.Memory;
import io.anser.bench.machine.Usage;
import io.anser.bench.peer.Peer;
import io.anser.bench.peer.RunningServer;
import io.anser.system.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs one workload on one server: an empty folder, a new process, a warm-up, the window that counts, and everything removed.
 *
 * @param folder below it each server has its folder; on the device that is measured
 * @param warmMillis before the window
 * @param millis length of the window
 * @param readable messages that a workload which reads finds
 * @param restarted messages that a store holds which is restarted
 * @param clock times everything
 */
record Runner(Path folder, long warmMillis, long millis, long readable, long restarted, Clock clock) {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final double HALF = 0.5;
    private static final double ALL_BUT_ONE_PERCENT = 0.99;

    /** Runs it. */
    RunResult run(Peer peer, Workload workload, int number) throws IOException {
        Path own = folder.resolve(peer.name());
        remove(own);
        Files.createDirectories(own);
        double flushSeconds = workload.durable() ? FlushTime.measure(own, clock) : 0;
        if (workload.isRestart()) {
            return restart(peer, workload, number, own);
        }
        RunningServer server = peer.start(workload.durable(), own);
        try {
            return workload.isIdle()
                    ? idle(peer, workload, number, server)
                    : loaded(peer, workload, number, server, flushSeconds);
        } finally {
            server.kill(); // its store is thrown away: there is nothing to wait for
            remove(own);
        }
    }

    private RunResult loaded(Peer peer, Workload workload, int number, RunningServer server, double flushSeconds)
            throws IOException {
        Tally tally = new Tally();
        Meter meter = new Meter(server);
        LoadLoop load = workload.prepare(server.address(), readable, tally, clock);
        long nanos = load.run(
                workload.limits(TimeUnit.MILLISECONDS.toNanos(warmMillis), TimeUnit.MILLISECONDS.toNanos(millis)),
                meter);
        return new RunResult(
                peer.name(),
                workload,
                number,
                tally.messages(),
                nanos / NANOS_PER_SECOND,
                meter.usage(),
                tally.latencies().percentile(HALF),
                tally.latencies().percentile(ALL_BUT_ONE_PERCENT),
                flushSeconds,
                meter.memory,
                tally.failures(),
                tally.firstFailure());
    }

    private RunResult idle(Peer peer, Workload workload, int number, RunningServer server) throws IOException {
        workload.createTopics(server.address());
        Meter meter = new Meter(server);
        pause(server, warmMillis);
        meter.opened();
        pause(server, millis);
        meter.closed();
        return new RunResult(
                peer.name(),
                workload,
                number,
                0,
                millis / MILLIS_PER_SECOND,
                meter.usage(),
                0,
                0,
                0,
                meter.memory,
                0,
                "");
    }

    private RunResult restart(Peer peer, Workload workload, int number, Path own) throws IOException {
        RunningServer first = peer.start(false, own);
        try {
            workload.fill(first.address(), restarted, clock);
            if (workload == Workload.RESTART_STOP) {
                first.stop();
            }
        } finally {
            first.kill();
        }
        Usage before = Usage.readBeforeStart();
        long from = clock.nanos();
        RunningServer again = peer.start(false, own);
        try {
            double seconds = (clock.nanos() - from) / NANOS_PER_SECOND;
            Meter meter = new Meter(again);
            return new RunResult(
                    peer.name(),
                    workload,
                    number,
                    restarted,
                    seconds,
                    meter.read().since(before),
                    0,
                    0,
                    0,
                    Memory.of(again.broker().pid()),
                    0,
                    "");
        } finally {
            again.kill();
            remove(own);
        }
    }

    private static void pause(RunningServer server, long millis) throws IOException {
        try {
            if (server.broker().waitFor(millis, TimeUnit.MILLISECONDS)) {
                throw new IOException("the server ended while it had nothing to do");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void remove(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Reads the counters of the kernel at both ends of the window. */
    private static final class Meter implements LoadLoop.Window {
        private final RunningServer server;
        private Usage before = new Usage(0, 0, 0, 0);
        private Usage after = new Usage(0, 0, 0, 0);
        private Memory memory = new Memory(0, 0);

        Meter(RunningServer server) {
            this.server = server;
        }

        @Override
        public void opened() {
            before = read();
        }

        @Override
        public void closed() {
            after = read();
            memory = Memory.of(server.broker().pid());
        }

        private Usage read() {
            return Usage.read(
                    server.broker().pid(),
                    server.others().stream().map(Process::pid).toList());
        }

        Usage usage() {
            return after.since(before);
        }
    }
}
