package io.anser.broker.pull;

import io.anser.broker.pull.PullResult.Status;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import io.anser.system.Scheduler;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The parked pulls of the connections of one event loop, which owns all of it but {@link #arrived}.
 *
 * <p>A message wakes the loop once for all queues in which something arrived meanwhile; the loop looks at the queue
 * index and answers only those pulls for which there is something.
 */
final class ParkingLoop {
    private final Executor loop;
    private final QueueReader reader;
    private final Scheduler scheduler;
    private final ParkedPulls all;
    private final Map<QueueLog, WaitingQueue> queues = new HashMap<>();
    private final Map<Object, Set<ParkedPull>> connections = new HashMap<>();
    // At most one entry for each waiting queue: WaitingQueue.signal adds it again only after the loop has looked.
    private final Queue<WaitingQueue> arrivals = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean wakeUpPending = new AtomicBoolean();

    ParkingLoop(Executor loop, QueueReader reader, Scheduler scheduler, ParkedPulls all) {
        this.loop = loop;
        this.reader = reader;
        this.scheduler = scheduler;
        this.all = all;
    }

    /** Says how many pulls of a connection wait. */
    int parked(Object connection) {
        return connections.getOrDefault(connection, Set.of()).size();
    }

    void park(PullAnswer answer, PullQuery query, long waitMillis) {
        WaitingQueue waiting = queues.computeIfAbsent(query.queue(), this::register);
        ParkedPull pull = new ParkedPull(answer, query, waiting);
        waiting.pulls().add(pull);
        connections
                .computeIfAbsent(answer.connection(), connection -> new LinkedHashSet<>())
                .add(pull);
        answer.parked();
        pull.deadline(scheduler.schedule(waitMillis, () -> onLoop(() -> expire(pull))));
        // A message that was committed between the read that found nothing and the registration signalled nobody.
        if (query.queue().maxOffset() > query.queueOffset() || query.queue().isDropped()) {
            resume(pull);
        }
    }

    private WaitingQueue register(QueueLog queue) {
        WaitingQueue waiting = new WaitingQueue(queue, this);
        all.register(waiting);
        return waiting;
    }

    /** Wakes the loop for a queue with new messages. Any thread. */
    void arrived(WaitingQueue queue) {
        arrivals.add(queue);
        if (wakeUpPending.compareAndSet(false, true)) {
            onLoop(this::lookAtArrivals);
        }
    }

    private void onLoop(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException ended) {
            // The process stops: the loop's connections are closed, nobody is there to be answered.
            arrivals.clear();
        }
    }

    private void lookAtArrivals() {
        wakeUpPending.set(false);
        for (WaitingQueue queue = arrivals.poll(); queue != null; queue = arrivals.poll()) {
            queue.clearSignal();
            if (queue.pulls().isEmpty()) {
                forget(queue);
            } else {
                List.copyOf(queue.pulls()).forEach(this::resume);
            }
            if (queue.queue().isDropped()) {
                forget(queue); // no message will come that finds nobody waiting
            }
        }
    }

    /** A queue stays registered while its consumers come and go, and is given up when a message finds nobody waiting. */
    private void forget(WaitingQueue queue) {
        queues.remove(queue.queue(), queue);
        all.unregister(queue);
    }

    private void resume(ParkedPull pull) {
        PullResult result;
        try {
            result = reader.read(pull.query());
        } catch (StoreException failed) {
            remove(pull);
            pull.answer().fail(failed);
            return;
        }
        switch (result.status()) {
            case AT_END -> {}
            case LEFT_TO_OTHERS -> pull.moveTo(result.nextOffset());
            case NONE_MATCHED -> {
                pull.moveTo(result.nextOffset());
                if (result.nextOffset() < result.maxOffset()) {
                    // More to look at than one turn allows: the client comes back for it.
                    remove(pull);
                    pull.answer().respond(result);
                }
            }
            case FOUND, COLD, OUT_OF_RANGE, MOVED, ASK_AGAIN, DELETED -> {
                remove(pull);
                pull.answer().respond(result);
            }
        }
    }

    private void expire(ParkedPull pull) {
        end(pull, Status.AT_END);
    }

    /** Answers all pulls. Any thread. */
    void askAgain() {
        onLoop(() -> List.copyOf(connections.values())
                .forEach(pulls -> List.copyOf(pulls).forEach(pull -> end(pull, Status.ASK_AGAIN))));
    }

    private void end(ParkedPull pull, Status how) {
        if (!remove(pull)) {
            return;
        }
        PullResult nothing;
        try {
            nothing = nothingNew(pull.query(), how);
        } catch (StoreException dropped) {
            pull.answer().fail(dropped);
            return;
        }
        pull.answer().respond(nothing);
    }

    /** The client goes on at the offset up to which nothing was wanted. */
    private static PullResult nothingNew(PullQuery query, Status how) {
        QueueLog queue = query.queue();
        return PullResult.none(how, query.queueOffset(), queue.minOffset(), queue.maxOffset());
    }

    /** Drops what a closed connection was waiting for. */
    void disconnected(Object connection) {
        Set<ParkedPull> pulls = connections.remove(connection);
        if (pulls != null) {
            pulls.forEach(this::release);
        }
    }

    private boolean remove(ParkedPull pull) {
        Object connection = pull.answer().connection();
        Set<ParkedPull> pulls = connections.get(connection);
        if (pulls == null || !pulls.remove(pull)) {
            return false;
        }
        if (pulls.isEmpty()) {
            connections.remove(connection);
        }
        release(pull);
        return true;
    }

    private void release(ParkedPull pull) {
        pull.cancelDeadline();
        pull.waitingQueue().pulls().remove(pull);
        all.released(pull.query());
    }
}
