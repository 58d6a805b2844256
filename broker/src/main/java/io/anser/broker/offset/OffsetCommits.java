package io.anser.broker.offset;

import io.anser.broker.metadata.Change;
import io.anser.broker.metadata.OffsetTable;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.QueueKey;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.QueueOffsets;
import io.anser.system.Scheduler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    private final OffsetResets resets;
    private final Proposals proposals;
    private final Scheduler scheduler;
    private final ConcurrentHashMap<QueueKey, Pending> pending = new ConcurrentHashMap<>();
    private final AtomicInteger pendingCount = new AtomicInteger();
    // Each entry belongs to a call that is not answered yet; the transport bounds how many of those there are.
    private final Queue<Waiter> waiters = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean flying = new AtomicBoolean();
    private final AtomicBoolean timerSet = new AtomicBoolean();
    // Counts changes of role: what was accepted before the last one is not proposed any more.
    private final AtomicInteger lead = new AtomicInteger();
    private volatile boolean closing;

    /**
     * A commit that is not in the state yet.
     *
     * @param queue the handle of the queue that the offset was checked against: a topic made anew has another
     * @param lead in which it was accepted
     */
    private record Pending(QueueLog queue, long offset, int lead) {}

    /** One who waits for a commit that was accepted in a lead. */
    private record Waiter(Outcome outcome, int lead) implements Outcome {
        @Override
        public void committed() {
            outcome.committed();
        }

        @Override
        public void failed(StoreException reason) {
            outcome.failed(reason);
        }
    }

    /**
     * Makes the merger in front of the state.
     *
     * @param resets which commits count for nothing
     */
    public OffsetCommits(OffsetTable committed, OffsetResets resets, Proposals proposals, Scheduler scheduler) {
        this.committed = committed;
        this.resets = resets;
        this.proposals = proposals;
        this.scheduler = scheduler;
    }

    /**
     * Returns the last offset that was accepted for the queue, committed or not, or {@link OffsetTable#NONE}.
     */
    public long current(QueueKey queue) {
        Pending newest = pending.get(queue);
        return newest != null && newest.lead() == lead.get() && !newest.queue().isDropped()
                ? newest.offset()
                : committed.committed(queue.group(), queue.topic(), queue.queueId());
    }

    /**
     * Accepts a commit that nobody waits for; it is committed soon, unless the group has to go elsewhere.
     *
     * @param checked the handle of the queue in which the offset lies
     * @return false if too much is pending: the commit is dropped
     */
    public boolean commit(QueueKey queue, QueueLog checked, long queueOffset) {
        if (resets.holdsBack(queue, queueOffset) || current(queue) == queueOffset) {
            return true;
        }
        boolean accepted = add(queue, new Pending(checked, queueOffset, lead.get()), false) != Added.TOO_MANY;
        if (accepted) {
            setTimer();
        }
        return accepted;
    }

    /**
     * Accepts a commit and tells when it holds, or when it was found to hold already.
     *
     * @param checked the handle of the queue in which the offset lies; when its topic is deleted first, nothing is committed
     * @param outcome told once, also when this throws; not if this returns false
     * @return false if too much is pending: the commit is dropped
     */
    public boolean commit(QueueKey queue, QueueLog checked, long queueOffset, Outcome outcome) {
        if (resets.holdsBack(queue, queueOffset)) {
            heldBack(queue, outcome);
            return true;
        }
        if (!pending.containsKey(queue)
                && committed.committed(queue.group(), queue.topic(), queue.queueId()) == queueOffset) {
            outcome.committed();
            return true;
        }
        return await(queue, new Pending(checked, queueOffset, lead.get()), false, outcome);
    }

    private static void heldBack(QueueKey queue, Outcome outcome) {
        outcome.failed(new StoreException(
                StoreException.Kind.BUSY,
                "consumerGroup=" + queue.group() + " was put to another offset of topic=" + queue.topic() + " queueId="
                        + queue.queueId() + " and has to read there first"));
    }

    /**
     * Puts a group to an offset, whatever its members commit meanwhile.
     *
     * @param checked the handle of the queue in which the offset lies
     * @param membersMustGo whether members are there who read elsewhere and have to go there
     * @param outcome told once, also when this throws; not if this returns false
     * @return false if too much is pending: nothing happens
     */
    boolean reset(QueueKey queue, QueueLog checked, long queueOffset, boolean membersMustGo, Outcome outcome) {
        // First: whoever commits from now on finds it.
        long mark = membersMustGo ? resets.begin(queue, queueOffset) : OffsetResets.NONE;
        if (!membersMustGo) {
            resets.end(queue);
        }
        Pending place = new Pending(checked, queueOffset, lead.get());
        boolean accepted = await(queue, place, true, new Outcome() {
            @Override
            public void committed() {
                outcome.committed();
            }

            @Override
            public void failed(StoreException reason) {
                resets.takeBack(queue, mark);
                outcome.failed(reason);
            }
        });
        if (!accepted) {
            resets.takeBack(queue, mark);
        }
        return accepted;
    }

    private boolean await(QueueKey queue, Pending next, boolean isReset, Outcome outcome) {
        Added added = add(queue, next, isReset);
        if (added == Added.HELD_BACK) {
            heldBack(queue, outcome);
        } else if (added == Added.WAITS) {
            waiters.add(new Waiter(outcome, next.lead()));
            fly();
        }
        return added != Added.TOO_MANY;
    }

    /** What became of a commit. */
    private enum Added {
        WAITS,
        HELD_BACK,
        TOO_MANY
    }

    private Added add(QueueKey queue, Pending next, boolean isReset) {
        if (pendingCount.get() >= MAX_PENDING && !pending.containsKey(queue)) {
            return Added.TOO_MANY;
        }
        Pending now = pending.compute(queue, (key, known) -> {
            // Asked within the update: a commit that was looked at before a reset began must not take its place.
            if (!isReset && resets.holdsBack(key, next.offset())) {
                return known;
            }
            if (known == null) {
                pendingCount.incrementAndGet();
            }
            return next;
        });
        return next.equals(now) ? Added.WAITS : Added.HELD_BACK;
    }

    /** Forgets commits that wait to be merged, and resets, of queues that are gone. What is on its way already is not stopped. */
    public void forget(Predicate<QueueKey> gone) {
        resets.forget(gone);
        pending.forEach((queue, waiting) -> {
            if (gone.test(queue)) {
                forget(queue, waiting);
            }
        });
    }

    /**
     * The broker is about to lead, or leads no more: offsets that wait to be merged are older than what others have stored since,
     * or will have. Who waits for them is told; whoever does not commits again.
     */
    public void roleChanged() {
        lead.incrementAndGet();
        fly();
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
        List<Waiter> told = new ArrayList<>();
        List<Waiter> late = new ArrayList<>();
        Flight flight;
        try {
            int present = lead.get();
            drainWaiters(present, told, late);
            flight = new Flight(changes(present), told);
        } catch (RuntimeException | Error e) {
            flying.set(false);
            setTimer(); // for the offsets that still wait
            told.addAll(late);
            Outcome.tellAll(told, waiter -> waiter.failed(notProposed(e)));
            throw e;
        }
        try {
            Outcome.tellAll(late, waiter -> waiter.failed(ledNoMore()));
        } finally {
            flight.begin();
        }
    }

    private static StoreException ledNoMore() {
        return new StoreException(
                StoreException.Kind.NOT_LEADING, "the lead has changed before the offset was stored, try again");
    }

    private static StoreException notProposed(Throwable why) {
        return new StoreException(StoreException.Kind.IO, "the offsets could not be proposed", why);
    }

    /** Whether the drop of one of the topics has its place in the log. Log writer. */
    private static boolean isOvertaken(List<Pending> commits) {
        return commits.stream().anyMatch(commit -> QueueOffsets.isClosed(commit.queue()));
    }

    private void drainWaiters(int present, List<Waiter> told, List<Waiter> late) {
        for (Waiter waiter = waiters.poll(); waiter != null; waiter = waiters.poll()) {
            (waiter.lead() == present ? told : late).add(waiter);
        }
    }

    private Map<QueueKey, Pending> changes(int present) {
        Map<QueueKey, Pending> changes = new LinkedHashMap<>();
        pending.forEach((queue, waiting) -> {
            boolean holds = committed.committed(queue.group(), queue.topic(), queue.queueId()) == waiting.offset();
            if (holds || waiting.lead() != present || waiting.queue().isDropped()) {
                // Changed and changed back meanwhile, of an earlier lead, or for a topic that is gone.
                forget(queue, waiting);
            } else {
                changes.put(queue, waiting);
            }
        });
        return changes;
    }

    private void forget(QueueKey queue, Pending waiting) {
        if (pending.remove(queue, waiting)) {
            pendingCount.decrementAndGet();
        }
    }

    /** One merged change on its way, in as many parts as its size demands. Told on the committing thread. */
    private final class Flight implements Outcome {
        private final Map<QueueKey, Pending> held;
        private final List<Change.OffsetCommitted> changes = new ArrayList<>();
        private final List<Waiter> told;
        private final AtomicInteger partsLeft;
        private final AtomicReference<@Nullable StoreException> failure = new AtomicReference<>();

        Flight(Map<QueueKey, Pending> held, List<Waiter> told) {
            this.held = held;
            this.told = told;
            held.forEach((queue, commit) -> changes.add(new Change.OffsetCommitted(queue, commit.offset())));
            this.partsLeft = new AtomicInteger((changes.size() + Proposals.MAX_CHANGES - 1) / Proposals.MAX_CHANGES);
        }

        /** Proposes its parts, once. Whatever goes wrong, it lands: nothing else flies before. */
        void begin() {
            if (changes.isEmpty()) {
                land();
                return;
            }
            int from = 0;
            try {
                List<Pending> waiting = List.copyOf(held.values());
                for (; from < changes.size(); from += Proposals.MAX_CHANGES) {
                    int until = Math.min(changes.size(), from + Proposals.MAX_CHANGES);
                    List<Pending> part = waiting.subList(from, until);
                    proposals.propose(changes.subList(from, until), () -> isOvertaken(part), this);
                }
            } catch (RuntimeException | Error e) {
                for (; from < changes.size(); from += Proposals.MAX_CHANGES) {
                    failed(notProposed(e));
                }
                throw e;
            }
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
            StoreException reason = failure.get();
            if (reason != null && reason.kind() == StoreException.Kind.DROPPED) {
                // The drop is committed by now: the others go again without the offsets of that topic.
                waiters.addAll(told);
                flying.set(false);
                fly();
                return;
            }
            held.forEach(OffsetCommits.this::forget);
            flying.set(false);
            try {
                if (reason == null) {
                    Outcome.tellAll(told, Outcome::committed);
                } else {
                    StoreException why = reason;
                    Outcome.tellAll(told, waiter -> waiter.failed(why));
                }
            } finally {
                goOn();
            }
        }

        private void goOn() {
            if (!waiters.isEmpty() || (closing && !pending.isEmpty())) {
                fly();
            } else if (!pending.isEmpty()) {
                setTimer();
            }
        }
    }
}
