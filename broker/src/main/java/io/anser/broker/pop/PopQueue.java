package io.anser.broker.pop;

import io.anser.broker.metadata.Lease;
import io.anser.broker.metadata.LeaseChange.Popped;
import io.anser.broker.metadata.LeaseTable;
import io.anser.broker.metadata.OffsetTable;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.QueueLeases;
import io.anser.broker.metadata.QueueLeases.Claim;
import io.anser.broker.metadata.QueueLeases.Hole;
import io.anser.broker.metadata.QueueLeases.Left;
import io.anser.store.queue.QueueLog;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One queue as a group pops it: which messages come next, on state and on what is in flight.
 *
 * <p>Owned by whoever {@linkplain #acquire holds} it; nobody waits for it, who is turned away is told when it is free.
 */
final class PopQueue {
    private final QueueKey key;
    private final int mark;
    private final QueueLog log;
    private final LeaseTable table;
    private final OffsetTable offsets;
    private final PopReader reader;
    private final PopLimits limits;

    private final AtomicBoolean held = new AtomicBoolean();
    private volatile boolean turnedAway;
    private volatile boolean awaited;

    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger messagesInFlight = new AtomicInteger();
    /** Messages whose pop has failed while others were in flight. */
    private final ConcurrentLinkedDeque<Hole> returned = new ConcurrentLinkedDeque<>();

    // Written by the holder. What was read, and up to where changes were proposed.
    private volatile long next;
    private volatile long recorded = -1;
    private volatile long resets;

    PopQueue(
            QueueKey key,
            int mark,
            QueueLog log,
            LeaseTable table,
            OffsetTable offsets,
            PopReader reader,
            PopLimits limits) {
        this.key = key;
        this.mark = mark;
        this.log = log;
        this.table = table;
        this.offsets = offsets;
        this.reader = reader;
        this.limits = limits;
        this.next = frontier(state());
    }

    QueueKey key() {
        return key;
    }

    /** 0 for a queue of the topic itself, 1 and 2 for those of its retry topics. */
    int mark() {
        return mark;
    }

    QueueLog log() {
        return log;
    }

    /** Whether the group has its place in the queue; if not, the place has to be committed before anything is popped. */
    boolean isStarted() {
        return mark != 0 || offsets.committed(key.group(), key.topic(), key.queueId()) != OffsetTable.NONE;
    }

    /** About how many messages were not popped yet. */
    long rest() {
        return Math.max(0, log.maxOffset() - Math.max(next, 0));
    }

    /** Whether a look may find something. Any thread. */
    boolean mayHave() {
        if (next < log.maxOffset() || !returned.isEmpty()) {
            return true;
        }
        Optional<QueueLeases> state = state();
        return inFlight.get() == 0
                && state.isPresent()
                && (state.get().resets() != resets || !state.get().holes().isEmpty());
    }

    /** Takes the queue for oneself if nobody has it. */
    boolean acquire() {
        if (held.compareAndSet(false, true)) {
            return true;
        }
        turnedAway = true;
        return held.compareAndSet(false, true); // it may have become free before its holder could see the mark
    }

    /** Gives the queue free; true if somebody was turned away meanwhile and must be told. */
    boolean release() {
        held.set(false);
        boolean tell = turnedAway;
        turnedAway = false;
        return tell;
    }

    /** Takes what comes next; empty when there is nothing for this wish now. For the holder. */
    Optional<Take> take(PopWish wish, int maxMessages, int maxBytes, long nowMillis, boolean mayWait) {
        follow();
        if (wish.order()) {
            return takeInOrder(wish, maxMessages, maxBytes, nowMillis, mayWait);
        }
        int room = limits.maxOut()
                - messagesInFlight.get()
                - state().map(QueueLeases::live).orElse(0);
        if (room <= 0) {
            awaited = true;
            return Optional.empty();
        }
        PopReader.Wish reading = wish.reading(Math.min(room, maxMessages), maxBytes, mayWait);
        return takeNext(reading, wish, nowMillis, Order.NONE);
    }

    /** How the messages of a take are marked when order is asked for. */
    private enum Order {
        NONE,
        FIRST_TIME
    }

    private Optional<Take> takeNext(PopReader.Wish reading, PopWish wish, long nowMillis, Order order) {
        Hole hole = returned.poll();
        if (hole != null) {
            PopReader.Found found = reader.read(log, Math.max(hole.from(), log.minOffset()), hole.until(), reading);
            if (found.next() < hole.until()) {
                returned.addFirst(new Hole(found.next(), hole.until()));
            }
            if (found.next() <= hole.from()) {
                return cold(found);
            }
            long until = Math.min(found.next(), hole.until());
            return Optional.of(taken(hole.from(), until, found, lease(found, wish, nowMillis, order), false));
        }
        long from = Math.max(next, log.minOffset());
        PopReader.Found found = reader.read(log, from, log.maxOffset(), reading);
        next = found.next();
        if (found.offsets().length == 0) {
            return cold(found);
        }
        long proposedFrom = recorded;
        recorded = next;
        return Optional.of(taken(proposedFrom, next, found, lease(found, wish, nowMillis, order), false));
    }

    /** Nothing was taken: says whether that is because the messages have to be waited for. */
    private Optional<Take> cold(PopReader.Found found) {
        coldSeen = found.cold();
        leftSeen = found.left();
        return Optional.empty();
    }

    // For the holder: whether the last look ended at a message that may have to be waited for.
    private boolean coldSeen;

    /** Whether the last look found a message that may have to be waited for, and nothing before it. For the holder. */
    boolean tookNothingBecauseCold() {
        boolean seen = coldSeen;
        coldSeen = false;
        return seen;
    }

    // For the holder: whether the last look ended at a message that is for others.
    private boolean leftSeen;

    /** Whether the last look found a message that only others of the group want, and nothing before it. For the holder. */
    boolean tookNothingBecauseLeftToOthers() {
        boolean seen = leftSeen;
        leftSeen = false;
        return seen;
    }

    private static Lease lease(PopReader.Found found, PopWish wish, long nowMillis, Order order) {
        long visible = nowMillis + wish.invisibleMillis();
        return switch (order) {
            case NONE -> Lease.of(found.offsets(), nowMillis, visible);
            case FIRST_TIME ->
                new Lease(found.offsets(), nowMillis, visible, new byte[found.offsets().length], wish.attemptId());
        };
    }

    private Optional<Take> takeInOrder(PopWish wish, int maxMessages, int maxBytes, long nowMillis, boolean mayWait) {
        if (inFlight.get() > 0) {
            awaited = true;
            return Optional.empty();
        }
        List<Left> out = state().map(QueueLeases::left).orElse(List.of());
        if (out.isEmpty()) {
            return takeNext(wish.reading(maxMessages, maxBytes, mayWait), wish, nowMillis, Order.FIRST_TIME);
        }
        Optional<Redelivery> redelivery = Redelivery.of(out, wish.attemptId(), nowMillis);
        if (redelivery.isEmpty()) {
            awaited = true;
            return Optional.empty();
        }
        return takeAgain(out, redelivery.get(), wish, nowMillis, mayWait);
    }

    private Optional<Take> takeAgain(
            List<Left> out, Redelivery redelivery, PopWish wish, long nowMillis, boolean mayWait) {
        if (!claim(out)) {
            return Optional.empty();
        }
        PopReader.Found found = reader.readExactly(log, redelivery.offsets(), mayWait);
        if (found.cold()) {
            release(out);
            return cold(found);
        }
        Lease lease = new Lease(
                found.offsets(),
                nowMillis,
                nowMillis + wish.invisibleMillis(),
                redelivery.attempts(found.offsets()),
                wish.attemptId());
        return Optional.of(taken(redelivery.offsets()[0], found.next(), found, lease, true));
    }

    private boolean claim(List<Left> out) {
        QueueLeases state = state().orElseThrow();
        List<Left> claimed = new ArrayList<>();
        for (Left each : out) {
            if (state.claimMove(each.id(), each.left()) != Claim.MARKED) {
                release(claimed);
                return false;
            }
            claimed.add(each);
        }
        return true;
    }

    private void release(List<Left> claimed) {
        state().ifPresent(state -> claimed.forEach(each -> state.release(each.id(), each.left())));
    }

    private Take taken(long from, long until, PopReader.Found found, Lease lease, boolean again) {
        inFlight.incrementAndGet();
        messagesInFlight.addAndGet(lease.size());
        return new Take(this, new Popped(key, from, until, lease), found.messages(), again);
    }

    /** Whether messages were passed over that the log does not know of yet. Any thread. */
    boolean hasSkipped() {
        return recorded >= 0 && recorded < next;
    }

    /** What was skipped and is not in the log yet, if that is worth a change of its own. For the holder. */
    Optional<Take> skipped() {
        follow();
        if (recorded >= next) {
            return Optional.empty();
        }
        long from = recorded;
        recorded = next;
        PopReader.Found nothing = new PopReader.Found(next, new long[0], Unpooled.EMPTY_BUFFER, false, false);
        return Optional.of(taken(from, next, nothing, Lease.NOTHING, false));
    }

    /** The take is in the log and in the state. Any thread. */
    void committed(Take take) {
        landed(take);
    }

    /** The take is not in the log: its messages are there for others. Any thread. */
    void failed(Take take) {
        if (take.again()) {
            state().ifPresent(state -> state.left().forEach(each -> state.release(each.id(), each.left())));
        } else {
            returned.addFirst(new Hole(take.change().from(), take.change().until()));
        }
        landed(take);
    }

    private void landed(Take take) {
        messagesInFlight.addAndGet(-take.size());
        inFlight.decrementAndGet();
    }

    /**
     * Says, once, whether a pop went without the queue's messages because of those that are out: it must be told when fewer
     * are. Any thread.
     */
    boolean isAwaited() {
        boolean was = awaited;
        awaited = false;
        return was;
    }

    /** Brings what is remembered in line with the state, which others change as well: resets, and what was restored. */
    private void follow() {
        Optional<QueueLeases> state = state();
        long resetsNow = state.map(QueueLeases::resets).orElse(0L);
        if (resetsNow == resets && inFlight.get() > 0) {
            return;
        }
        long frontier = frontier(state);
        List<Hole> holes = state.map(QueueLeases::holes).orElse(List.of());
        if (resetsNow != resets || recorded != frontier || !holes.isEmpty() || !returned.isEmpty()) {
            resets = resetsNow;
            if (recorded != frontier) {
                recorded = frontier;
                next = frontier;
            }
            returned.clear();
            returned.addAll(holes);
        }
    }

    private long frontier(Optional<QueueLeases> state) {
        if (state.isPresent()) {
            return state.get().frontier();
        }
        long committed = offsets.committed(key.group(), key.topic(), key.queueId());
        return committed == OffsetTable.NONE ? log.minOffset() : committed;
    }

    private Optional<QueueLeases> state() {
        return table.find(key);
    }
}
