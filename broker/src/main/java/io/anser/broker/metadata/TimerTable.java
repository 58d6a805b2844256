package io.anser.broker.metadata;

import io.anser.broker.metadata.Change.TimerFired;
import io.anser.store.state.HeldState;
import java.io.DataInput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The stored messages that wait for their time, in the order in which they fall due.
 *
 * <p>Changed by the committing thread alone; any thread reads.
 */
public final class TimerTable {
    /** How many of the last recalled messages are remembered, so that a recall which comes again can be answered. */
    public static final int RECALLED_MAX = 16_384;

    private final ConcurrentSkipListSet<PendingTimer> timers = new ConcurrentSkipListSet<>();
    private final HeldElements<PendingTimer> held = new HeldElements<>();
    // The set counts itself by walking over all of it.
    private final AtomicInteger size = new AtomicInteger();
    private final Set<Recalled> recalled = ConcurrentHashMap.newKeySet();
    private final ArrayDeque<Recalled> lastRecalled = new ArrayDeque<>();
    private volatile Consumer<PendingTimer> added = timer -> {};

    TimerTable() {}

    /** A recalled message. Who sends one again gives it the same unique id, but seldom for the same time. */
    private record Recalled(String uniqueId, long dueMillis) {}

    /** Returns all timers in order; a live view, weakly consistent. */
    public NavigableSet<PendingTimer> all() {
        return Collections.unmodifiableNavigableSet(timers);
    }

    /** Returns how many timers wait. */
    public int size() {
        return size.get();
    }

    /** Says whether the timer still waits. */
    public boolean contains(PendingTimer timer) {
        return timers.contains(timer);
    }

    /** Says whether the message with that unique id and due time was recalled and is among the last {@link #RECALLED_MAX}. */
    public boolean isRecalled(String uniqueId, long dueMillis) {
        return recalled.contains(new Recalled(uniqueId, dueMillis));
    }

    /**
     * Calls the listener with each new timer, on the committing thread once {@link #all()} shows the timer; it must not block.
     */
    public void onAdded(Consumer<PendingTimer> listener) {
        this.added = listener;
    }

    void add(PendingTimer timer) {
        if (timers.add(timer)) {
            held.add(timer);
            size.incrementAndGet();
            added.accept(timer);
        }
    }

    void apply(TimerFired change) {
        remove(change.timer());
    }

    void apply(TimerMoved change) {
        remove(change.timer());
    }

    private void remove(PendingTimer timer) {
        PendingTimer known = timers.floor(timer);
        if (known != null && known.equals(timer)) {
            timers.remove(known);
            held.remove(known);
            size.decrementAndGet();
        }
    }

    /** Takes a message back; false: it was delivered before. */
    boolean apply(TimerRecalled change) {
        if (!timers.contains(change.timer())) {
            return false;
        }
        // Before it is taken out: who finds it nowhere would take it for one that never was.
        remember(new Recalled(change.uniqueId(), change.timer().dueMillis()));
        remove(change.timer());
        return true;
    }

    private void remember(Recalled message) {
        if (recalled.add(message)) {
            lastRecalled.add(message);
            if (lastRecalled.size() > RECALLED_MAX) {
                recalled.remove(lastRecalled.remove());
            }
        }
    }

    /** Takes hold of what is remembered of recalled messages. */
    HeldState holdRecalled() {
        List<Recalled> now = List.copyOf(lastRecalled);
        return out -> {
            out.writeInt(now.size());
            for (Recalled message : now) {
                out.writeUTF(message.uniqueId());
                out.writeLong(message.dueMillis());
            }
        };
    }

    void readRecalled(DataInput in) throws IOException {
        recalled.clear();
        lastRecalled.clear();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            remember(new Recalled(in.readUTF(), in.readLong()));
        }
    }

    /** Takes hold of the timers. */
    HeldState hold() {
        Supplier<List<PendingTimer>> all = held.hold(Comparator.naturalOrder());
        return out -> {
            List<PendingTimer> now = all.get();
            out.writeInt(now.size());
            for (PendingTimer timer : now) {
                out.writeLong(timer.dueMillis());
                out.writeLong(timer.position());
            }
        };
    }

    void read(DataInput in) throws IOException {
        timers.clear();
        held.clear();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            PendingTimer timer = new PendingTimer(in.readLong(), in.readLong());
            timers.add(timer);
            held.add(timer);
        }
        size.set(count);
    }
}
