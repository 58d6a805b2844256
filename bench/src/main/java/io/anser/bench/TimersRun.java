package io.anser.bench;

import io.anser.bench.load.Limits;
import io.anser.bench.load.LoadLoop;
import io.anser.bench.load.Tally;
import io.anser.bench.peer.Peer;
import io.anser.bench.peer.RunningServer;
import io.anser.system.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Messages that are all due at the same time. Timed is how long after it each is delivered. A first lot, of as many, warms the
 * server up.
 *
 * @param peer the server
 * @param folder an empty folder
 * @param amounts how long
 * @param clock times everything
 */
record TimersRun(Peer peer, Path folder, Amounts amounts, Clock clock) {
    private static final Workload WORKLOAD = Workload.TIMERS;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double HALF = 0.5;
    private static final double ALL_BUT_ONE_PERCENT = 0.99;

    /** From the first send to the time when all are due: more than all sends take. */
    private static final long AHEAD_MILLIS = 6_000;

    private static final long PATIENCE_NANOS = 60_000_000_000L;

    RunResult run(int number) throws IOException {
        RunningServer server = peer.start(false, folder);
        try {
            WORKLOAD.createTopics(server.address());
            DeliveryRun.warmUp(server, WORKLOAD, amounts, clock);
            deliver(server, new Tally(), new Meter(server));
            Tally tally = new Tally();
            Meter meter = new Meter(server);
            long nanos = deliver(server, tally, meter);
            return new RunResult(
                    peer.name(),
                    WORKLOAD,
                    number,
                    tally.deliveries().count(),
                    nanos / NANOS_PER_SECOND,
                    meter.usage(),
                    tally.deliveries().percentile(HALF),
                    tally.deliveries().percentile(ALL_BUT_ONE_PERCENT),
                    0,
                    meter.memory(),
                    tally.failures(),
                    tally.firstFailure(),
                    Map.of(Detail.LAST_DUE_MILLIS, tally.deliveries().percentile(1) / NANOS_PER_MILLI));
        } finally {
            server.kill();
        }
    }

    private long deliver(RunningServer server, Tally tally, Meter meter) throws IOException {
        long dueNanos = clock.nanos() + TimeUnit.MILLISECONDS.toNanos(AHEAD_MILLIS);
        long dueMillis = clock.wallMillis() + AHEAD_MILLIS;
        long nanos = WORKLOAD.delayed(dueMillis, dueNanos)
                .connect(server.address(), tally, clock)
                .run(new Limits(Limits.WarmUp.NONE, PATIENCE_NANOS, Long.MAX_VALUE), new AllDelivered(meter, tally));
        if (tally.deliveries().count() < Workload.TIMERS_DUE) {
            throw new IOException("of " + Workload.TIMERS_DUE + " delayed messages "
                    + tally.deliveries().count() + " were delivered");
        }
        return nanos;
    }

    /** Closes when all messages have come. */
    private record AllDelivered(Meter meter, Tally tally) implements LoadLoop.Window {
        @Override
        public void opened() {
            meter.opened();
        }

        @Override
        public void closed() {
            meter.closed();
        }

        @Override
        public boolean isOver() {
            return tally.deliveries().count() >= Workload.TIMERS_DUE;
        }
    }
}
