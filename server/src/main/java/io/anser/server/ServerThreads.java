package io.anser.server;

import io.anser.system.Clock;
import io.anser.system.FaultHandler;
import io.anser.system.Threads;
import io.anser.system.TimerThread;
import io.anser.transport.EventLoops;
import io.anser.transport.TransportSettings;
import java.util.concurrent.ExecutorService;

/**
 * The threads of a process, which all of its roles and groups share.
 *
 * @param timer due times
 * @param workers what may block
 * @param loops connections
 */
record ServerThreads(TimerThread timer, ExecutorService workers, EventLoops loops) implements AutoCloseable {
    private static final int WORKER_THREADS = 4;
    private static final int WORKER_QUEUE = 1024;

    /** Starts them. */
    static ServerThreads start(TransportSettings transport, Clock clock, FaultHandler faults) {
        TimerThread timer = TimerThread.start("timer", clock, faults);
        return new ServerThreads(
                timer,
                Threads.workers("worker", WORKER_THREADS, WORKER_QUEUE, faults),
                EventLoops.start(transport, timer));
    }

    @Override
    public void close() {
        loops.close();
        workers.shutdownNow();
        timer.close();
    }
}
