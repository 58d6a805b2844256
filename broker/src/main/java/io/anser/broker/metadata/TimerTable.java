package io.anser.broker.metadata;

import io.anser.broker.metadata.Change.TimerFired;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Collections;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;

/**
 * The stored messages that wait for their time, in the order in which they fall due.
 *
 * <p>Changed by the committing thread alone; any thread reads.
 */
public final class TimerTable {
    private final ConcurrentSkipListSet<PendingTimer> timers = new ConcurrentSkipListSet<>();
    // The set counts itself by walking over all of it.
    private final AtomicInteger size = new AtomicInteger();
    private volatile LongConsumer added = dueMillis -> {};

    TimerTable() {}

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

    /**
     * Calls the listener with the due time of each new timer, on the committing thread once {@link #all()} shows the timer;
     * it must not block.
     */
    public void onAdded(LongConsumer listener) {
        this.added = listener;
    }

    void add(PendingTimer timer) {
        if (timers.add(timer)) {
            size.incrementAndGet();
            added.accept(timer.dueMillis());
        }
    }

    void apply(TimerFired change) {
        if (timers.remove(change.timer())) {
            size.decrementAndGet();
        }
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(size.get());
        for (PendingTimer timer : timers) {
            out.writeLong(timer.dueMillis());
            out.writeLong(timer.position());
        }
    }

    void read(DataInput in) throws IOException {
        timers.clear();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            timers.add(new PendingTimer(in.readLong(), in.readLong()));
        }
        size.set(timers.size());
    }
}
