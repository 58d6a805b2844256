package io.anser.system;

import org.jspecify.annotations.Nullable;

/** A task that schedules itself anew after each run. State is guarded by this object's monitor. */
final class Repetition implements Cancellable, Runnable {
    private final Scheduler scheduler;
    private final long periodMillis;
    private final Runnable task;
    private boolean cancelled;
    private @Nullable Cancellable next;

    private Repetition(Scheduler scheduler, long periodMillis, Runnable task) {
        this.scheduler = scheduler;
        this.periodMillis = periodMillis;
        this.task = task;
    }

    static Repetition start(Scheduler scheduler, long periodMillis, Runnable task) {
        if (periodMillis < 1) {
            throw new IllegalArgumentException("periodMillis=" + periodMillis + " minimum=1");
        }
        Repetition repetition = new Repetition(scheduler, periodMillis, task);
        repetition.scheduleNext();
        return repetition;
    }

    @Override
    public void run() {
        try {
            task.run();
        } finally {
            scheduleNext();
        }
    }

    private synchronized void scheduleNext() {
        if (!cancelled) {
            next = scheduler.schedule(periodMillis, this);
        }
    }

    @Override
    public synchronized void cancel() {
        cancelled = true;
        if (next != null) {
            next.cancel();
        }
    }
}
