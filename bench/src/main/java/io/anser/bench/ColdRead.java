package io.anser.bench;

import io.anser.bench.load.Limits;
import io.anser.bench.load.LoadLoop;
import io.anser.bench.load.TailLoad;
import io.anser.bench.load.Tally;
import io.anser.bench.machine.Memory;
import io.anser.bench.machine.PageCache;
import io.anser.bench.peer.Peer;
import io.anser.bench.peer.RunningServer;
import io.anser.bench.stats.Latencies;
import io.anser.system.Clock;
import io.anser.system.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A producer with a fixed rate and a reader at the tail, first alone, then beside a group that reads the topic from its front.
 * The old messages are cold because the server that took them was stopped and the files of its store were taken out of the
 * page cache; what the new one reads from the device shows it.
 *
 * @param peer the server
 * @param folder an empty folder
 * @param amounts how long, how many messages
 * @param clock times everything
 */
record ColdRead(Peer peer, Path folder, Amounts amounts, Clock clock) {
    private static final Workload WORKLOAD = Workload.COLD_READ;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MIB = 1 << 20;
    private static final double HALF = 0.5;
    private static final double ALL_BUT_ONE_PERCENT = 0.99;
    private static final long DRAIN_SECONDS = 30;
    private static final long WARMING_PART = 4;

    RunResult run(int number) throws IOException {
        RunningServer first = peer.start(false, folder);
        try {
            WORKLOAD.createTopics(first.address());
            WORKLOAD.fill(first.address(), amounts.cold(), clock);
            first.stop();
        } finally {
            first.kill();
        }
        PageCache.settle();
        PageCache.drop(folder);
        RunningServer server = peer.start(false, folder);
        try {
            return measure(server, number);
        } finally {
            server.kill();
        }
    }

    private RunResult measure(RunningServer server, int number) throws IOException {
        // Everything is warm before anything counts: what the JIT compiler takes of two cores hides all else. The first
        // quarter of the old messages goes for that.
        WORKLOAD.pull("bench-cold", 0)
                .connect(server.address(), new Tally(), clock)
                .run(Limits.messages(warming()), LoadLoop.NO_WINDOW);
        WORKLOAD.warmingTail()
                .connect(server.address(), new Tally(), clock)
                .run(new Limits(amounts.warmUp(1, Workload.PHASE_MESSAGES), 0, 0), new Meter(server));
        TailLoad load = WORKLOAD.tail();
        Limits limits = new Limits(
                Limits.WarmUp.millis(amounts.warmMillis()),
                TimeUnit.MILLISECONDS.toNanos(amounts.millis()),
                Long.MAX_VALUE);
        Tally alone = new Tally();
        load.connect(server.address(), alone, clock).run(limits, LoadLoop.NO_WINDOW);

        Tally beside = new Tally();
        ColdGroup cold = new ColdGroup(server, limits, warming(), amounts.cold() - warming(), clock);
        long nanos = load.connect(server.address(), beside, clock).run(limits, cold);
        cold.awaitEnd();

        double seconds = nanos / NANOS_PER_SECOND;
        Map<Detail, Double> details = new EnumMap<>(Detail.class);
        details.put(Detail.ACK_P99_ALONE_MILLIS, p99(alone.latencies()));
        details.put(Detail.ACK_P99_MILLIS, p99(beside.latencies()));
        details.put(Detail.DELIVERY_P99_ALONE_MILLIS, p99(alone.deliveries()));
        details.put(Detail.DELIVERY_P99_MILLIS, p99(beside.deliveries()));
        details.put(Detail.COLD_MESSAGES_PER_SECOND, cold.tally.messages() / seconds);
        details.put(Detail.DEVICE_READ_MIB_PER_SECOND, cold.deviceReadBytes / MIB / seconds);
        return new RunResult(
                peer.name(),
                WORKLOAD,
                number,
                beside.messages(),
                seconds,
                cold.meter.usage(),
                beside.latencies().percentile(HALF),
                beside.latencies().percentile(ALL_BUT_ONE_PERCENT),
                0,
                cold.meter.memory(),
                alone.failures() + beside.failures() + cold.tally.failures(),
                alone.firstFailure() + beside.firstFailure() + cold.tally.firstFailure(),
                details);
    }

    private long warming() {
        return amounts.cold() / WARMING_PART;
    }

    private static double p99(Latencies latencies) {
        return latencies.percentile(ALL_BUT_ONE_PERCENT) / NANOS_PER_MILLI;
    }

    /** The group that reads from far behind, on a thread of its own, as long as the window is open. */
    private static final class ColdGroup implements LoadLoop.Window {
        private final RunningServer server;
        private final Limits limits;
        private final long before;
        private final long messages;
        private final Clock clock;
        private final Meter meter;
        private final Tally tally = new Tally();
        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile String fault = "";
        private long deviceReadBytes;

        ColdGroup(RunningServer server, Limits limits, long before, long messages, Clock clock) {
            this.server = server;
            this.limits = limits;
            this.before = before;
            this.messages = messages;
            this.clock = clock;
            this.meter = new Meter(server);
        }

        @Override
        public void opened() {
            meter.opened();
            deviceReadBytes = -Memory.deviceReadBytes(server.broker().pid());
            Threads.start("bench-cold", this::read, (where, cause) -> fault = cause.toString());
        }

        private void read() {
            try {
                WORKLOAD.pull("bench-cold", before)
                        .connect(server.address(), tally, clock)
                        .run(new Limits(Limits.WarmUp.NONE, limits.nanos(), messages), LoadLoop.NO_WINDOW);
            } finally {
                ended.countDown();
            }
        }

        @Override
        public boolean isOver() {
            return ended.getCount() == 0; // what follows is not disturbed any more
        }

        @Override
        public void closed() {
            meter.closed();
            deviceReadBytes += Memory.deviceReadBytes(server.broker().pid());
        }

        void awaitEnd() throws IOException {
            try {
                if (!ended.await(DRAIN_SECONDS, TimeUnit.SECONDS)) {
                    throw new IOException("the cold group got no answer for " + DRAIN_SECONDS + " s");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
            if (!fault.isEmpty()) {
                throw new IOException("the cold group failed: " + fault);
            }
        }
    }
}
