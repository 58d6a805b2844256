package io.anser.system;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Time that stands still until a test moves it: a {@link Clock} and a {@link Scheduler} in one. Tasks run in the thread
 * that calls {@link #advance}, in the order they are due, each at exactly its own time. Thread-safe; meant for one driver.
 */
public final class VirtualTime implements Clock, Scheduler {
    private final long originMillis;
    private final DueTasks tasks = new DueTasks();
    private volatile long nanos;
    private final AtomicLong wallStepMillis = new AtomicLong();

    /** Starts at 2026-01-01T00:00Z. */
    public VirtualTime() {
        this(1_767_225_600_000L);
    }

    /** Starts at the given wall-clock time, in milliseconds since 1970. */
    public VirtualTime(long originMillis) {
        this.originMillis = originMillis;
    }

    @Override
    public long wallMillis() {
        return originMillis + wallStepMillis.get() + TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public Cancellable schedule(long delayMillis, Runnable task) {
        synchronized (tasks) {
            DueTasks.Entry entry = tasks.add(nanos + TimeUnit.MILLISECONDS.toNanos(Math.max(0, delayMillis)), task);
            return () -> cancel(entry);
        }
    }

    private void cancel(DueTasks.Entry entry) {
        synchronized (tasks) {
            tasks.cancel(entry);
        }
    }

    /** Moves both clocks on and runs every task that becomes due on the way, those that such tasks schedule included. */
    public void advance(Duration by) {
        long until = nanos + by.toNanos();
        while (runNext(until)) {
            // each call runs one task at its own time
        }
    }

    /** Sets the wall clock forward or back without moving the monotonic one, as an operator or NTP would. */
    public void stepWallClock(Duration by) {
        wallStepMillis.addAndGet(by.toMillis());
    }

    private boolean runNext(long untilNanos) {
        Runnable task;
        synchronized (tasks) {
            long wait = tasks.nanosUntilNext(nanos);
            if (wait == Long.MAX_VALUE || nanos + wait > untilNanos) {
                nanos = untilNanos; // under the lock: a task of another thread is scheduled before or after the advance
                return false;
            }
            nanos = nanos + Math.max(0, wait);
            task = tasks.pollDue(nanos);
        }
        if (task != null) {
            task.run();
        }
        return true;
    }
}
