package io.anser.store.log;

import io.anser.system.FaultHandler;
import io.anser.system.Threads;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The thread that runs one owner loop: works while there is work, then parks. The loop itself has no thread, so that tests
 * run it by hand.
 */
final class LogThread {
    /**
     * The loop that a thread owns.
     *
     * @param doWork does what can be done now; false when there was nothing
     * @param hasWork whether there is something to do; asked before the thread parks, so that no wake-up is missed
     * @param isFinished whether everything ever begun is finished; asked when the thread is to end
     */
    record Loop(BooleanSupplier doWork, BooleanSupplier hasWork, BooleanSupplier isFinished) {}

    private static final long CLOSING_PAUSE_NANOS = 100_000;

    private final Loop loop;
    private final Fence fence;
    private final long pauseNanos;
    private final long restNanosMax;
    private final AtomicBoolean parked = new AtomicBoolean();
    private volatile boolean ending;
    private final String name;
    private final Thread thread;

    /**
     * Starts the thread.
     *
     * @param pauseNanos least time between two rounds of work; 0 for a loop that never waits while there is work
     * @param restNanosMax longest time without a round; 0 for a loop that has work only when it is woken
     */
    LogThread(String name, Loop loop, Fence fence, long pauseNanos, long restNanosMax, FaultHandler faults) {
        this.name = name;
        this.loop = loop;
        this.fence = fence;
        this.pauseNanos = pauseNanos;
        this.restNanosMax = restNanosMax;
        this.thread = Threads.start(name, this::run, faults);
    }

    private void run() {
        while (!(ending && loop.isFinished().getAsBoolean())) {
            if (work()) {
                pause();
            } else {
                rest();
            }
        }
    }

    private boolean work() {
        try {
            return loop.doWork().getAsBoolean();
        } catch (RuntimeException | Error e) {
            // The thread's outermost frame. What broke is unknown, so nothing may be acknowledged any more; the loop
            // goes on only to fail what waits.
            fence.close(name, "the thread " + name + " failed", e);
            return false;
        }
    }

    private void pause() {
        if (pauseNanos > 0 && !ending) {
            LockSupport.parkNanos(this, pauseNanos);
        }
    }

    private void rest() {
        if (ending) {
            LockSupport.parkNanos(this, CLOSING_PAUSE_NANOS);
            return;
        }
        parked.set(true);
        if (!loop.hasWork().getAsBoolean() && !ending) {
            if (restNanosMax > 0) {
                LockSupport.parkNanos(this, restNanosMax);
            } else {
                LockSupport.park(this);
            }
        }
        parked.set(false);
    }

    /** Wakes the thread if it is parked. */
    void wake() {
        // The work was published by an ordered store, which the load of the flag could overtake: then this side would
        // see the thread awake while that side sees no work.
        VarHandle.fullFence();
        if (parked.get() && parked.compareAndSet(true, false)) {
            LockSupport.unpark(thread);
        }
    }

    /** Has the thread end as soon as its loop is finished. */
    void end() {
        ending = true;
        LockSupport.unpark(thread);
    }

    /** Waits for the end, also when the caller is interrupted. */
    void awaitEnd() {
        Threads.awaitEnd(thread);
    }
}
