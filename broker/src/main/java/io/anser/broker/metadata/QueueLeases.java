package io.anser.broker.metadata;

import io.anser.broker.metadata.LeaseChange.Popped;
import io.anser.broker.metadata.LeaseChange.Renewed;
import io.anser.broker.metadata.LeaseChange.Settled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What one group has popped from one queue: messages before {@link #base()} are done with, those from {@link #frontier()} on
 * were never handed out, those in between are leased, done with, or in a hole: to be handed out again.
 *
 * <p>Changed by the committing thread alone. Any thread reads, and marks what it is about to change, so that two changes of
 * one message are not on their way at a time: an acknowledgement and the copy to a retry topic above all. Marks are not state.
 */
public final class QueueLeases {
    private final TreeMap<LeaseId, Held> leases = new TreeMap<>();
    private final TreeMap<Long, Long> holes = new TreeMap<>();
    private long frontier;
    private int live;
    private long resets;
    private long lastRenewal;

    /** One lease and what is left of it. Guarded by the monitor of its queue. */
    private static final class Held {
        private final Lease lease;
        private int left;
        private int acking;
        private int moving;
        /** What is acknowledged once more while it is acknowledged already: each of them may fail and leave the others. */
        private final List<Integer> ackingAgain = new ArrayList<>(0);

        Held(Lease lease) {
            this.lease = lease;
            this.left = lease.all();
        }

        /** Whether no change of any of its messages is on its way. */
        boolean rests() {
            return ((acking | moving) & left) == 0;
        }

        void acking(int mask) {
            int again = acking & mask;
            if (again != 0) {
                ackingAgain.add(again);
            }
            acking |= mask;
        }

        void notAcking(int mask) {
            int alone = mask;
            for (int i = 0; i < ackingAgain.size(); i++) {
                int again = ackingAgain.get(i);
                ackingAgain.set(i, again & ~alone);
                alone &= ~again;
            }
            ackingAgain.removeIf(again -> again == 0);
            acking &= ~alone;
        }

        void settle(int mask) {
            left &= ~mask;
            if (!ackingAgain.isEmpty()) {
                ackingAgain.replaceAll(again -> again & ~mask);
                ackingAgain.removeIf(again -> again == 0);
            }
        }
    }

    /**
     * A lease of which something is left.
     *
     * @param id names it
     * @param lease what was handed out
     * @param left bits of the messages that are not settled
     */
    public record Left(LeaseId id, Lease lease, int left) {}

    /** Messages that nobody has: queue offsets in {@code [from, until)}. */
    public record Hole(long from, long until) {}

    /** What became of a wish to change messages of a lease. */
    public enum Claim {
        /** They are marked: propose the change, and take the mark away if it fails. */
        MARKED,
        /** They are not in the lease any more, or there is no such lease. */
        GONE,
        /** Another change of one of them is on its way. */
        TAKEN
    }

    QueueLeases(long frontier) {
        this.frontier = frontier;
    }

    /** The first offset that is not done with: what the group has consumed as others count it. */
    public synchronized long base() {
        long base = holes.isEmpty() ? frontier : Math.min(frontier, holes.firstKey());
        for (Map.Entry<LeaseId, Held> entry : leases.entrySet()) {
            if (entry.getKey().start() >= base) {
                break; // a lease has nothing before its start
            }
            Held held = entry.getValue();
            base = Math.min(base, held.lease.offsets()[Integer.numberOfTrailingZeros(held.left)]);
        }
        return base;
    }

    /** The first offset that was never handed out. */
    public synchronized long frontier() {
        return frontier;
    }

    /** How many messages are out. */
    public synchronized int live() {
        return live;
    }

    /** How often somebody has put the group to another offset; whoever remembers the frontier has to look again then. */
    public synchronized long resets() {
        return resets;
    }

    /** Whether there are holes. */
    public synchronized boolean hasHoles() {
        return !holes.isEmpty();
    }

    /** The holes, in order; a copy. */
    public synchronized List<Hole> holes() {
        List<Hole> copy = new ArrayList<>(holes.size());
        holes.forEach((from, until) -> copy.add(new Hole(from, until)));
        return copy;
    }

    /** The leases of which something is left, in the order of their starts; a copy. */
    public synchronized List<Left> left() {
        List<Left> copy = new ArrayList<>(leases.size());
        leases.forEach((id, held) -> copy.add(new Left(id, held.lease, held.left)));
        return copy;
    }

    /**
     * Leases whose time is over and of which nothing is on its way to change, in the order of their ids; a copy.
     *
     * @param visibleUntilMillis wall time at which they have ended
     * @param after only those behind it, see {@link LeaseId#FIRST}
     * @param most how many
     */
    public synchronized List<Left> over(long visibleUntilMillis, LeaseId after, int most) {
        List<Left> copy = new ArrayList<>();
        for (Map.Entry<LeaseId, Held> entry : leases.tailMap(after, false).entrySet()) {
            if (copy.size() == most) {
                break;
            }
            Held held = entry.getValue();
            if (held.lease.visibleMillis() <= visibleUntilMillis && held.rests()) {
                copy.add(new Left(entry.getKey(), held.lease, held.left));
            }
        }
        return copy;
    }

    /** A lease of which something is left. */
    public synchronized Optional<Left> find(LeaseId id) {
        return Optional.ofNullable(leases.get(id)).map(held -> new Left(id, held.lease, held.left));
    }

    /** Whether a message is out under any handle. */
    public synchronized boolean isOut(long offset) {
        for (Map.Entry<LeaseId, Held> entry : leases.entrySet()) {
            if (entry.getKey().start() > offset) {
                return false; // a lease has nothing before its start
            }
            int place = entry.getValue().lease.place(offset);
            if (place >= 0 && (entry.getValue().left & (1 << place)) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Marks messages that are to be acknowledged; several may acknowledge the same, each with a mark of its own. */
    public synchronized Claim claimAck(LeaseId id, int mask) {
        Held held = leases.get(id);
        if (held == null || (held.left & mask) != mask) {
            return Claim.GONE;
        }
        if ((held.moving & mask) != 0) {
            return Claim.TAKEN;
        }
        held.acking(mask);
        return Claim.MARKED;
    }

    /** Marks messages that are to be moved: to a lease of their own, or out of the queue. */
    public synchronized Claim claimMove(LeaseId id, int mask) {
        Held held = leases.get(id);
        if (held == null || (held.left & mask) != mask) {
            return Claim.GONE;
        }
        if (((held.moving | held.acking) & mask) != 0) {
            return Claim.TAKEN;
        }
        held.moving |= mask;
        return Claim.MARKED;
    }

    /** Takes the marks of one acknowledgement away, since it has failed. */
    public synchronized void releaseAck(LeaseId id, int mask) {
        Held held = leases.get(id);
        if (held != null) {
            held.notAcking(mask);
        }
    }

    /** Takes the marks of a move away, since it has failed. */
    public synchronized void releaseMove(LeaseId id, int mask) {
        Held held = leases.get(id);
        if (held != null) {
            held.moving &= ~mask;
        }
    }

    /** A pop time for the renewal of a lease: now, but never the same twice. */
    public synchronized long renewalMillis(long nowMillis, LeaseId old) {
        lastRenewal = Math.max(Math.max(nowMillis, lastRenewal + 1), old.popMillis() + 1);
        return lastRenewal;
    }

    synchronized void apply(Popped change) {
        if (change.lease().ordered()) {
            leases.clear(); // what was left is in the new lease
            live = 0;
        }
        if (change.from() > frontier) {
            // A pop that was decided before this one did not get into the log.
            holes.put(frontier, change.from());
        } else {
            closeHoles(change.from(), change.until());
        }
        frontier = Math.max(frontier, change.until());
        Lease lease = change.lease();
        if (lease.size() > 0) {
            put(new LeaseId(lease.offsets()[0], lease.popMillis()), new Held(lease));
        }
    }

    synchronized void apply(Settled change) {
        Held held = leases.get(change.lease());
        if (held != null) {
            take(change.lease(), held, change.mask());
        }
    }

    synchronized void apply(Renewed change) {
        Held held = leases.get(change.lease());
        int bit = 1 << change.place();
        if (held != null && (held.left & bit) != 0) {
            take(change.lease(), held, bit);
            put(
                    new LeaseId(change.lease().start(), change.popMillis()),
                    new Held(held.lease.alone(change.place(), change.popMillis(), change.visibleMillis())));
        }
    }

    private void put(LeaseId id, Held held) {
        Held before = leases.put(id, held);
        live += Integer.bitCount(held.left) - (before == null ? 0 : Integer.bitCount(before.left));
    }

    private void take(LeaseId id, Held held, int mask) {
        live -= Integer.bitCount(held.left & mask);
        held.settle(mask);
        if (held.left == 0) {
            leases.remove(id);
        }
    }

    private void closeHoles(long from, long until) {
        if (holes.isEmpty()) {
            return;
        }
        Map.Entry<Long, Long> before = holes.lowerEntry(from);
        if (before != null && before.getValue() > from) {
            holes.put(before.getKey(), from);
            if (before.getValue() > until) {
                holes.put(until, before.getValue());
            }
        }
        NavigableMap<Long, Long> inside = holes.subMap(from, true, until, false);
        Map.Entry<Long, Long> last = inside.isEmpty() ? null : inside.lastEntry();
        inside.clear();
        if (last != null && last.getValue() > until) {
            holes.put(until, last.getValue());
        }
    }

    /** Puts the group to another offset: nothing is leased any more. */
    synchronized void reset(long offset) {
        leases.clear();
        holes.clear();
        live = 0;
        frontier = offset;
        resets++;
    }

    synchronized void restore(long savedFrontier, List<Hole> savedHoles, List<Left> savedLeases) {
        reset(savedFrontier);
        savedHoles.forEach(hole -> holes.put(hole.from(), hole.until()));
        for (Left saved : savedLeases) {
            Held held = new Held(saved.lease());
            held.left = saved.left();
            put(saved.id(), held);
        }
    }
}
