package io.anser.broker.pop;

import io.anser.system.Scheduler;
import io.anser.transport.Connection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** Bounds how many requests wait for messages, and ends those whose time is over or whose connection has closed. */
public final class ParkingLot {
    private final PopLimits limits;
    private final Scheduler scheduler;
    private final AtomicInteger parked = new AtomicInteger();

    /** What waits on one connection. Owned by its event loop. */
    private static final class OfConnection {
        private final Set<Waiting> waiting = new LinkedHashSet<>();
    }

    ParkingLot(PopLimits limits, Scheduler scheduler) {
        this.limits = limits;
        this.scheduler = scheduler;
    }

    /**
     * Keeps a request for some time. On the event loop of its connection.
     *
     * @param events as before its look
     * @return false if too many wait already
     */
    boolean park(Waiting waiting, long millis, long events) {
        Connection connection = waiting.call().connection();
        OfConnection mine = connection.attachment(OfConnection.class).orElseGet(() -> {
            OfConnection made = new OfConnection();
            connection.attach(OfConnection.class, made);
            return made;
        });
        if (mine.waiting.size() >= limits.maxParkedPerConnection()) {
            return false;
        }
        if (parked.incrementAndGet() > limits.maxParked()) {
            parked.decrementAndGet();
            return false;
        }
        mine.waiting.add(waiting);
        waiting.call().park();
        long wait = Math.min(millis, limits.maxPollMillis());
        waiting.parked(scheduler.schedule(wait, () -> onLoop(waiting)));
        waiting.topic().line().join(waiting, events);
        return true;
    }

    private void onLoop(Waiting waiting) {
        try {
            waiting.loop().execute(() -> {
                if (end(waiting)) {
                    waiting.topic().line().leave(waiting);
                    waiting.expire();
                }
            });
        } catch (RejectedExecutionException ended) {
            // The process stops, and nobody is there to be answered.
            waiting.topic().line().leave(waiting);
        }
    }

    /** Ends a wait, once; false if it has ended before or has never begun. On the event loop of its connection. */
    boolean end(Waiting waiting) {
        if (!waiting.end()) {
            return false;
        }
        waiting.call().connection().attachment(OfConnection.class).ifPresent(mine -> mine.waiting.remove(waiting));
        parked.decrementAndGet();
        return true;
    }

    /** Drops what waits on a connection that closed. Called on its event loop. */
    public void disconnected(Connection connection) {
        connection
                .attachment(OfConnection.class)
                .ifPresent(mine -> List.copyOf(mine.waiting).forEach(waiting -> {
                    end(waiting);
                    waiting.topic().line().leave(waiting);
                }));
    }

    /** Returns how many requests wait. */
    public int parked() {
        return parked.get();
    }
}
