package io.anser.system;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The real {@link Scheduler}: one daemon thread that sleeps exactly until the next task is due. Idle without tasks.
 * Tasks not yet run when it is closed never run.
 */
public final class TimerThread implements Scheduler, AutoCloseable {
    private final Clock clock;
    private final FaultHandler faults;
    private final String name;
    private final DueTasks tasks = new DueTasks();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean closed;

    private TimerThread(String name, Clock clock, FaultHandler faults) {
        this.name = name;
        this.clock = clock;
        this.faults = faults;
    }

    /**
     * Starts the thread.
     *
     * @param name the thread's name
     * @param clock judges when a task is due
     * @param faults told when a task throws; the thread goes on
     */
    public static TimerThread start(String name, Clock clock, FaultHandler faults) {
        TimerThread timer = new TimerThread(name, clock, faults);
        Threads.start(name, timer::run, faults);
        return timer;
    }

    @Override
    public Cancellable schedule(long delayMillis, Runnable task) {
        long due = clock.nanos() + TimeUnit.MILLISECONDS.toNanos(Math.max(0, delayMillis));
        lock.lock();
        try {
            if (closed) {
                return () -> {};
            }
            DueTasks.Entry entry = tasks.add(due, task);
            changed.signal();
            return () -> cancel(entry);
        } finally {
            lock.unlock();
        }
    }

    private void cancel(DueTasks.Entry entry) {
        lock.lock();
        try {
            tasks.cancel(entry);
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        for (Runnable task = takeDue(); task != null; task = takeDue()) {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                faults.fault(name, e);
            }
        }
    }

    /** Waits for a due task; null once closed. */
    private @Nullable Runnable takeDue() {
        lock.lock();
        try {
            while (!closed) {
                long now = clock.nanos();
                Runnable task = tasks.pollDue(now);
                if (task != null) {
                    return task;
                }
                awaitChange(tasks.nanosUntilNext(now));
            }
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // takeDue is the loop: it looks again after every wake-up
    private void awaitChange(long nanos) throws InterruptedException {
        if (nanos == Long.MAX_VALUE) {
            changed.await();
        } else {
            long ignored = changed.awaitNanos(nanos);
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }
}
