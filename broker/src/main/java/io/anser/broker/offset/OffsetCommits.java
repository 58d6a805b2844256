package io.anser.broker.offset;

import io.anser.broker.metadata.Change;
import io.anser.broker.metadata.OffsetTable;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.QueueKey;
import io.anser.store.file.StoreException;
import io.anser.system.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Merges offset commits: of all commits to one queue within {@value #MERGE_MILLIS} ms only the last is appended, and an
 * offset that did not change is not appended at all.
 *
 * <p>Any thread commits and reads. One merged change is on its way at a time; what comes meanwhile is the next one, so
 * commits keep their order.
 */
public final class OffsetCommits implements AutoCloseable {
    /** How long a commit that nobody waits for may be merged with others, in milliseconds. */
    public static final long MERGE_MILLIS = 100;

    /** Most queues with a commit that is not in the state yet; beyond it commits are refused. */
    public static final int MAX_PENDING = 100_000;

    private final OffsetTable committed;
    private final Proposals proposals;
    private final Scheduler scheduler;
    private final ConcurrentHashMap<QueueKey, Long> pending = new ConcurrentHashMap<>();
    private final AtomicInteger pendingCount = new AtomicInteger();
    // Each entry belongs to a call that is not answered yet; the transport bounds how many of those there are.
    private final Queue<Outcome> waiters = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean flying = new AtomicBoolean();
    private final AtomicBoolean timerSet = new AtomicBoolean();
    private volatile boolean closing;

    /** Makes the merger in front of the state. */
    public OffsetCommits(OffsetTable committed, Proposals proposals, Scheduler scheduler) {
        this.committed = committed;
        this.proposals = proposals;
        this.scheduler = scheduler;
    }

    /**
     * Returns the last offset that was accepted for the queue, committed or not, or {@link OffsetTable#NONE}.
     */
    public long current(QueueKey queue) {
        Long newest = pending.get(queue);
        return newest != null ? newest : committed.committed(queue.group(), queue.topic(), queue.queueId());
    }

    /**
     * Accepts a commit that nobody waits for; it is committed soon.
     *
     * @return false if too much is pending: the commit is dropped
     */
    public boolean commit(QueueKey queue, long queueOffset) {
        if (current(queue) == queueOffset) {
            return true;
        }
        if (!add(queue, queueOffset)) {
            return false;
        }
        setTimer();
        return true;
    }

    /**
     * Accepts a commit and tells when it holds, or when it was found to hold already.
     *
     * @param outcome told once; not if this returns false
     * @return false if too much is pending: the commit is dropped
     */
    public boolean commit(QueueKey queue, long queueOffset, Outcome outcome) {
        if (!pending.containsKey(queue)
                && committed.committed(queue.group(), queue.topic(), queue.queueId()) == queueOffset) {
            outcome.committed();
            return true;
        }
        if (!add(queue, queueOffset)) {
            return false;
        }
        waiters.add(outcome);
        fly();
        return true;
    }

    private boolean add(QueueKey queue, long queueOffset) {
        if (pendingCount.get() >= MAX_PENDING && !pending.containsKey(queue)) {
            return false;
        }
        if (pending.put(queue, queueOffset) == null) {
            pendingCount.incrementAndGet();
        }
        return true;
    }

    /** Forgets commits that wait to be merged, of queues that are gone. What is on its way already is not stopped. */
    public void forget(Predicate<QueueKey> gone) {
        pending.forEach((queue, queueOffset) -> {
            if (gone.test(queue)) {
                forget(queue, queueOffset);
            }
        });
    }

    /** Proposes what is pending without waiting for more, now and from now on: the store closes next. */
    @Override
    public void close() {
        closing = true;
        fly();
    }

    private void setTimer() {
        if (timerSet.compareAndSet(false, true)) {
            scheduler.schedule(MERGE_MILLIS, this::timeIsUp);
        }
    }

    private void timeIsUp() {
        timerSet.set(false);
        fly();
    }

    /** Proposes what is pending unless a proposal is on its way; that one's end starts the next. */
    private void fly() {
        if (!flying.compareAndSet(false, true)) {
            return;
        }
        // First the waiters, then the offsets: whoever is among the waiters has put his offset before.
        List<Outcome> told = drainWaiters();
        List<Change.OffsetCommitted> changes = changes();
        int parts = (changes.size() + Proposals.MAX_CHANGES - 1) / Proposals.MAX_CHANGES;
        Flight flight = new Flight(changes, told, parts);
        if (parts == 0) {
            flight.land();
        }
        for (int from = 0; from < changes.size(); from += Proposals.MAX_CHANGES) {
            int until = Math.min(changes.size(), from + Proposals.MAX_CHANGES);
            proposals.propose(changes.subList(from, until), flight);
        }
    }

    private List<Outcome> drainWaiters() {
        List<Outcome> told = new ArrayList<>();
        for (Outcome waiter = waiters.poll(); waiter != null; waiter = waiters.poll()) {
            told.add(waiter);
        }
        return told;
    }

    private List<Change.OffsetCommitted> changes() {
        List<Change.OffsetCommitted> changes = new ArrayList<>();
        pending.forEach((queue, queueOffset) -> {
            if (committed.committed(queue.group(), queue.topic(), queue.queueId()) == queueOffset) {
                // Changed and changed back meanwhile.
                forget(queue, queueOffset);
            } else {
                changes.add(new Change.OffsetCommitted(queue, queueOffset));
            }
        });
        return changes;
    }

    private void forget(QueueKey queue, long queueOffset) {
        if (pending.remove(queue, queueOffset)) {
            pendingCount.decrementAndGet();
        }
    }

    /** One merged change on its way, in as many parts as its size demands. Told on the committing thread. */
    private final class Flight implements Outcome {
        private final List<Change.OffsetCommitted> changes;
        private final List<Outcome> told;
        private final AtomicInteger partsLeft;
        private final AtomicReference<@Nullable StoreException> failure = new AtomicReference<>();

        Flight(List<Change.OffsetCommitted> changes, List<Outcome> told, int parts) {
            this.changes = changes;
            this.told = told;
            this.partsLeft = new AtomicInteger(parts);
        }

        @Override
        public void committed() {
            if (partsLeft.decrementAndGet() == 0) {
                land();
            }
        }

        @Override
        public void failed(StoreException reason) {
            failure.compareAndSet(null, reason);
            committed();
        }

        void land() {
            changes.forEach(change -> forget(change.queue(), change.offset()));
            flying.set(false);
            StoreException reason = failure.get();
            for (Outcome waiter : told) {
                if (reason == null) {
                    waiter.committed();
                } else {
                    waiter.failed(reason);
                }
            }
            if (!waiters.isEmpty() || (closing && !pending.isEmpty())) {
                fly();
            } else if (!pending.isEmpty()) {
                setTimer();
            }
        }
    }
}
