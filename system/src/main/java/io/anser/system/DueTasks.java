package io.anser.system;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Tasks ordered by the time they are due, first come first served among equals. A cancelled task leaves its payload at
 * once and its place when its time comes or when more than half of all places are empty. Not thread-safe.
 */
final class DueTasks {
    /** Below this many places an empty one is not worth a sweep. */
    private static final int SWEEP_THRESHOLD = 64;

    private final PriorityQueue<Entry> entries = new PriorityQueue<>();
    private long sequence;
    private int empty;

    /** One task and its time. The task is null once it ran or was cancelled. */
    static final class Entry implements Comparable<Entry> {
        final long dueNanos;
        final long order;

        @Nullable
        Runnable task;

        Entry(long dueNanos, long order, Runnable task) {
            this.dueNanos = dueNanos;
            this.order = order;
            this.task = task;
        }

        @Override
        public int compareTo(Entry other) {
            // Differences, not values: the origin of the nanosecond clock is arbitrary and may overflow.
            int byTime = Long.signum(dueNanos - other.dueNanos);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    Entry add(long dueNanos, Runnable task) {
        Entry entry = new Entry(dueNanos, sequence++, task);
        entries.add(entry);
        return entry;
    }

    void cancel(Entry entry) {
        if (entry.task == null) {
            return;
        }
        entry.task = null;
        empty++;
        if (entries.size() > SWEEP_THRESHOLD && empty > entries.size() / 2) {
            entries.removeIf(candidate -> candidate.task == null);
            empty = 0;
        }
    }

    /** Takes the first task that is due, or null when none is. */
    @Nullable
    Runnable pollDue(long nowNanos) {
        for (Entry first = entries.peek(); first != null; first = entries.peek()) {
            if (first.task != null && first.dueNanos - nowNanos > 0) {
                return null;
            }
            entries.remove();
            if (first.task != null) {
                Runnable task = first.task;
                first.task = null;
                return task;
            }
            empty--;
        }
        return null;
    }

    /** Nanoseconds until the first place is due (zero or less: now), or {@link Long#MAX_VALUE} when there is none. */
    long nanosUntilNext(long nowNanos) {
        Entry first = entries.peek();
        return first == null ? Long.MAX_VALUE : first.dueNanos - nowNanos;
    }
}
