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
 * A few messages a second through a server that does nothing else. Timed is each message from the writing of its send into the
 * socket to its delivery, which is longer than from its acknowledgement.
 *
 * @param peer the server
 * @param folder an empty folder
 * @param amounts how long
 * @param clock times everything
 */
record DeliveryRun(Peer peer, Path folder, Amounts amounts, Clock clock) {
    private static final Workload WORKLOAD = Workload.DELIVERY;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double HALF = 0.5;
    private static final double ALL_BUT_ONE_PERCENT = 0.99;

    /** The window is so much longer than others, as there are few messages in it. */
    private static final int WINDOWS = 4;

    RunResult run(int number) throws IOException {
        RunningServer server = peer.start(false, folder);
        try {
            WORKLOAD.createTopics(server.address());
            warmUp(server, WORKLOAD, amounts, clock);
            Tally tally = new Tally();
            Meter meter = new Meter(server);
            Limits limits = new Limits(
                    Limits.WarmUp.millis(amounts.warmMillis()),
                    WINDOWS * TimeUnit.MILLISECONDS.toNanos(amounts.millis()),
                    Long.MAX_VALUE);
            long nanos = WORKLOAD.tail().connect(server.address(), tally, clock).run(limits, meter);
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
                    Map.of());
        } finally {
            server.kill();
        }
    }

    /** Sends and reads as fast as it goes, until the server compiles nothing any more. */
    static void warmUp(RunningServer server, Workload workload, Amounts amounts, Clock clock) {
        LoadLoop load = workload.warmingTail().connect(server.address(), new Tally(), clock);
        load.run(new Limits(amounts.warmUp(1, Workload.PHASE_MESSAGES), 0, 0), new Meter(server));
    }
}
