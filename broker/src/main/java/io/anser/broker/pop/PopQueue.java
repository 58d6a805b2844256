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
    /** Nothing was taken or followed yet. */
    private static final long UNKNOWN = -1;

    private final QueueKey key;
    private final int mark;
    private final QueueLog log;
    private final LeaseTable table;
    private final OffsetTable offsets;
    private final PopReader reader;
    private final PopLimits limits;

    private final AtomicBoolean held = new AtomicBoolean();
    private final AtomicBoolean turnedAway = new AtomicBoolean();
    private final AtomicBoolean awaited = new AtomicBoolean();

    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger messagesInFlight = new AtomicInteger();
    /** Messages whose pop has failed while others were in flight. */
    private final ConcurrentLinkedDeque<Hole> returned = new ConcurrentLinkedDeque<>();

    // Written by the holder. What was read, and up to where changes were proposed.
    private volatile long next;
    private volatile long recorded = UNKNOWN;
    private long resets;
    private boolean coldSeen;
    private boolean leftSeen;
    private boolean moreSeen;

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
    boolean mayHave(PopWish wish, long nowMillis) {
        if (wish.order() && live() > 0) {
            return redelivery(wish, nowMillis).isPresent();
        }
        return next < log.maxOffset() || !returned.isEmpty() || (inFlight.get() == 0 && isBehind());
    }

    /** Whether the state says something else than what is remembered; asked while nothing is in flight. */
    private boolean isBehind() {
        Optional<QueueLeases> state = state();
        boolean moved = recorded != UNKNOWN && recorded != frontier(state);
        return moved || state.filter(QueueLeases::hasHoles).isPresent();
    }

    /** Takes the queue for oneself if nobody has it. */
    boolean acquire() {
        if (held.compareAndSet(false, true)) {
            return true;
        }
        turnedAway.set(true);
        return held.compareAndSet(false, true); // it may have become free before its holder could see the mark
    }

    /** Gives the queue free; true if somebody was turned away meanwhile and must be told. */
    boolean release() {
        held.set(false);
        return turnedAway.getAndSet(false);
    }

    /** Takes what comes next; empty when there is nothing for this wish now. For the holder. */
    Optional<Take> take(PopWish wish, Reading reading, long nowMillis) {
        follow();
        coldSeen = false;
        leftSeen = false;
        moreSeen = false;
        if (wish.order()) {
            return takeInOrder(wish, reading, nowMillis);
        }
        if (room() <= 0) {
            awaited.set(true);
        }
        int room = room(); // looked at again: what makes room from now on finds the mark
        return room <= 0 ? Optional.empty() : takeNext(room, wish, reading, nowMillis);
    }

    private int room() {
        return limits.maxOut() - messagesInFlight.get() - live();
    }

    private int live() {
        return state().map(QueueLeases::live).orElse(0);
    }

    private Optional<Take> takeNext(int room, PopWish wish, Reading reading, long nowMillis) {
        Hole hole = returned.poll();
        if (hole != null) {
            return takeFromHole(hole, room, wish, reading, nowMillis);
        }
        PopReader.Found found = reader.read(log, Math.max(next, log.minOffset()), log.maxOffset(), room, reading);
        next = found.next();
        if (found.offsets().length == 0) {
            return nothing(found);
        }
        long from = recorded;
        recorded = next;
        return Optional.of(taken(from, next, found, lease(found, wish, nowMillis), List.of()));
    }

    private Optional<Take> takeFromHole(Hole hole, int room, PopWish wish, Reading reading, long nowMillis) {
        PopReader.Found found = reader.read(log, Math.max(hole.from(), log.minOffset()), hole.until(), room, reading);
        if (found.next() < hole.until()) {
            returned.addFirst(new Hole(found.next(), hole.until()));
        }
        if (found.next() <= hole.from()) {
            return nothing(found);
        }
        long until = Math.min(found.next(), hole.until());
        return Optional.of(taken(hole.from(), until, found, lease(found, wish, nowMillis), List.of()));
    }

    /** Nothing was taken: remembers why. */
    private Optional<Take> nothing(PopReader.Found found) {
        coldSeen = found.cold();
        leftSeen = found.left();
        moreSeen = !found.cold() && !found.left() && found.next() < log.maxOffset();
        return Optional.empty();
    }

    /** Whether the last look ended at a message that may have to be waited for. For the holder. */
    boolean endedCold() {
        return coldSeen;
    }

    /** Whether the last look found a message that only others of the group want, and nothing before it. For the holder. */
    boolean endedAtOthers() {
        return leftSeen;
    }

    /** Whether the last look passed over as many messages as one look may, and there are more. For the holder. */
    boolean endedEarly() {
        return moreSeen;
    }

    private static Lease lease(PopReader.Found found, PopWish wish, long nowMillis) {
        long visible = nowMillis + wish.invisibleMillis();
        return wish.order()
                ? new Lease(found.offsets(), nowMillis, visible, new byte[found.offsets().length], wish.attemptId())
                : Lease.of(found.offsets(), nowMillis, visible);
    }

    private Optional<Take> takeInOrder(PopWish wish, Reading reading, long nowMillis) {
        // First what is in flight: what has landed by then is in the state.
        if (inFlight.get() == 0 && live() == 0) {
            return takeNext(reading.messages(), wish, reading, nowMillis);
        }
        Optional<Redelivery> redelivery = redelivery(wish, nowMillis);
        return redelivery.isPresent()
                ? takeAgain(redelivery.get(), wish, nowMillis, reading.mayWait())
                : Optional.empty();
    }

    /** What may be delivered again; if nothing, the queue is awaited. */
    private Optional<Redelivery> redelivery(PopWish wish, long nowMillis) {
        awaited.set(true); // before the look: what changes from now on finds the mark
        if (inFlight.get() > 0) {
            return Optional.empty();
        }
        List<Left> out = state().map(QueueLeases::left).orElse(List.of());
        return out.isEmpty() ? Optional.empty() : Redelivery.of(out, wish.attemptId(), nowMillis);
    }

    private Optional<Take> takeAgain(Redelivery redelivery, PopWish wish, long nowMillis, boolean mayWait) {
        List<Left> out = redelivery.leases();
        if (!claim(out)) {
            return Optional.empty();
        }
        PopReader.Found found;
        try {
            found = reader.readExactly(log, redelivery.offsets(), mayWait);
        } catch (RuntimeException | Error e) {
            release(out);
            throw e;
        }
        if (found.cold()) {
            release(out);
            return nothing(found);
        }
        Lease lease = new Lease(
                found.offsets(),
                nowMillis,
                nowMillis + wish.invisibleMillis(),
                redelivery.attempts(found.offsets()),
                wish.attemptId());
        return Optional.of(taken(redelivery.offsets()[0], found.next(), found, lease, out));
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
        state().ifPresent(state -> claimed.forEach(each -> state.releaseMove(each.id(), each.left())));
    }

    private Take taken(long from, long until, PopReader.Found found, Lease lease, List<Left> before) {
        inFlight.incrementAndGet();
        messagesInFlight.addAndGet(lease.size());
        return new Take(this, new Popped(key, from, until, lease), found.messages(), before);
    }

    /** Whether messages were passed over that the log does not know of yet. Any thread. */
    boolean hasSkipped() {
        return recorded != UNKNOWN && recorded < next;
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
        return Optional.of(taken(from, next, nothing, Lease.NOTHING, List.of()));
    }

    /** The take is in the log and in the state. Any thread. */
    void committed(Take take) {
        landed(take);
    }

    /** The take is not in the log: its messages are there for others. Any thread. */
    void failed(Take take) {
        if (take.before().isEmpty()) {
            returned.addFirst(new Hole(take.change().from(), take.change().until()));
        } else {
            release(take.before());
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
        return awaited.getAndSet(false);
    }

    /** Brings what is remembered in line with the state, which others change as well: resets, and what was restored. */
    private void follow() {
        // First what is in flight: what has landed by then is in the state.
        boolean landed = inFlight.get() == 0;
        long resetsNow = state().map(QueueLeases::resets).orElse(0L);
        boolean first = recorded == UNKNOWN;
        if (first || resetsNow != resets || (landed && (isBehind() || !returned.isEmpty()))) {
            Optional<QueueLeases> state = state();
            long frontier = frontier(state);
            resets = resetsNow;
            if (recorded != frontier) {
                recorded = frontier;
                next = frontier;
            }
            returned.clear();
            state.ifPresent(leases -> returned.addAll(leases.holes()));
        }
    }

    private long frontier(Optional<QueueLeases> state) {
        if (state.isPresent()) {
            return state.get().frontier();
        }
        long committed = offsets.committed(key.group(), key.topic(), key.queueId());
        return committed == OffsetTable.NONE ? 0 : committed;
    }

    private Optional<QueueLeases> state() {
        return table.find(key);
    }
}
