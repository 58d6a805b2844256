package io.anser.broker.pull;

import io.anser.store.queue.QueueLog;
import io.anser.system.Scheduler;
import io.anser.transport.Connection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * All pulls that wait for a message (long polling).
 *
 * <p>Each parked pull belongs to the event loop of its connection, so parking, answering and dropping need no lock; what
 * the threads share is which loops wait for which queue. No wake-up is lost: a loop registers and then looks at the
 * queue's end once more, the committing thread moves the end and then looks at the registrations.
 */
public final class ParkedPulls {
    private final PullLimits limits;
    private final QueueReader reader;
    private final Scheduler scheduler;
    private final ConcurrentHashMap<Executor, ParkingLoop> loops = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<QueueLog, Set<WaitingQueue>> waiting = new ConcurrentHashMap<>();
    private final AtomicLong heldBytes = new AtomicLong();
    private final AtomicLong parked = new AtomicLong();

    ParkedPulls(PullLimits limits, QueueReader reader, Scheduler scheduler) {
        this.limits = limits;
        this.reader = reader;
        this.scheduler = scheduler;
    }

    /**
     * Keeps a pull until there is something to answer. Called on the event loop of the pull's connection.
     *
     * @param waitMillis longest wait; the answer is then that there is nothing new
     * @return false if too many wait already: the pull is not kept and the caller answers it
     */
    boolean park(PullAnswer answer, PullQuery query, long waitMillis) {
        ParkingLoop loop =
                loops.computeIfAbsent(answer.loop(), executor -> new ParkingLoop(executor, reader, scheduler, this));
        int bytes = ParkedPull.heldBytes(query);
        if (loop.parked(answer.connection()) >= limits.maxParkedPerConnection()) {
            return false;
        }
        if (heldBytes.addAndGet(bytes) > limits.maxParkedBytes()) {
            heldBytes.addAndGet(-bytes);
            return false;
        }
        parked.incrementAndGet();
        loop.park(answer, query, Math.min(waitMillis, limits.maxSuspendMillis()));
        return true;
    }

    /** Wakes the pulls that wait for this queue. Called on the committing thread once new messages are readable. */
    public void arrived(QueueLog queue) {
        Set<WaitingQueue> waitingLoops = waiting.get(queue);
        if (waitingLoops != null) {
            waitingLoops.forEach(WaitingQueue::signal);
        }
    }

    /** Answers the pulls that wait for this queue: its topic was deleted. Called on the committing thread. */
    public void dropped(QueueLog queue) {
        arrived(queue); // whoever wakes looks at the queue and finds it gone
    }

    /** Has all who wait ask again: another broker may be the right one to ask by now. Any thread. */
    public void askAgain() {
        loops.values().forEach(ParkingLoop::askAgain);
    }

    /** Drops the pulls of a connection that closed. Called on its event loop. */
    public void disconnected(Connection connection) {
        disconnected(connection.executor(), connection);
    }

    void disconnected(Executor loop, Object connection) {
        ParkingLoop owner = loops.get(loop);
        if (owner != null) {
            owner.disconnected(connection);
        }
    }

    /** Returns how many pulls wait. */
    public long parked() {
        return parked.get();
    }

    void register(WaitingQueue queue) {
        waiting.compute(queue.queue(), (log, known) -> {
            Set<WaitingQueue> loopsOfQueue = known == null ? ConcurrentHashMap.newKeySet(4) : known;
            loopsOfQueue.add(queue);
            return loopsOfQueue;
        });
    }

    void unregister(WaitingQueue queue) {
        waiting.computeIfPresent(queue.queue(), (log, loopsOfQueue) -> {
            loopsOfQueue.remove(queue);
            return loopsOfQueue.isEmpty() ? null : loopsOfQueue;
        });
    }

    void released(PullQuery query) {
        heldBytes.addAndGet(-ParkedPull.heldBytes(query));
        parked.decrementAndGet();
    }
}
