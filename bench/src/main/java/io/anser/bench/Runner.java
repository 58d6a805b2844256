package io.anser.bench;

import io.anser.bench.load.LoadLoop;
import io.anser.bench.load.Tally;
import io.anser.bench.machine.FlushTime;
import io.anser.bench.machine.FreeMemory;
import io.anser.bench.machine.PageCache;
import io.anser.bench.peer.Peer;
import io.anser.bench.peer.RunningServer;
import io.anser.system.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs one workload on one server: an empty folder, a new process, a warm-up, the window that counts, and everything removed.
 *
 * @param folder below it each server has its folder; on the device that is measured
 * @param amounts how long, how much
 * @param memory filled before each run
 * @param clock times everything
 */
record Runner(Path folder, Amounts amounts, FreeMemory memory, Clock clock) {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final double HALF = 0.5;
    private static final double ALL_BUT_ONE_PERCENT = 0.99;

    /** Runs it. */
    RunResult run(Peer peer, Workload workload, int number) throws IOException {
        Path own = folder.resolve(peer.name());
        remove(own);
        Files.createDirectories(own);
        PageCache.settle();
        memory.fill();
        try {
            return switch (workload.kind()) {
                case LOAD -> loaded(peer, workload, number, own);
                case COLD_READ -> new ColdRead(peer, own, amounts, clock).run(number);
                case DELIVERY -> new DeliveryRun(peer, own, amounts, clock).run(number);
                case TIMERS -> new TimersRun(peer, own, amounts, clock).run(number);
                case RESTART -> new Restart(peer, workload, own, amounts, clock).run(number);
                case APPEND -> new AppendRun(own, amounts).run(number);
                case IDLE -> idle(peer, workload, number, own);
            };
        } finally {
            remove(own);
        }
    }

    private RunResult loaded(Peer peer, Workload workload, int number, Path own) throws IOException {
        double flushSeconds = workload.durable() ? FlushTime.measure(own, clock) : 0;
        RunningServer server =
                workload.isGroup() ? peer.startGroup(workload.durable(), own) : peer.start(workload.durable(), own);
        try {
            Tally tally = new Tally();
            Meter meter = new Meter(server);
            LoadLoop load = workload.prepare(server.address(), amounts.readable(), tally, clock);
            long nanos = load.run(workload.limits(amounts), meter);
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
                    meter.memory(),
                    tally.failures(),
                    tally.firstFailure(),
                    Map.of());
        } finally {
            server.kill(); // its store is thrown away: there is nothing to wait for
        }
    }

    private RunResult idle(Peer peer, Workload workload, int number, Path own) throws IOException {
        RunningServer server = peer.start(workload.durable(), own);
        try {
            workload.createTopics(server.address());
            Meter meter = new Meter(server);
            pause(server, amounts.warmMillis());
            meter.opened();
            pause(server, amounts.millis());
            meter.closed();
            return RunResult.withoutLoad(
                    peer.name(),
                    workload,
                    number,
                    0,
                    amounts.millis() / MILLIS_PER_SECOND,
                    meter.usage(),
                    meter.memory(),
                    Map.of());
        } finally {
            server.kill();
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
}
