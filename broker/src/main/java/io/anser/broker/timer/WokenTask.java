package io.anser.broker.timer;

import io.anser.system.Scheduler;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** A task that runs on one worker at a time, and once more when somebody has woken it meanwhile. Any thread wakes it. */
final class WokenTask {
    private final Runnable task;
    private final Executor workers;
    private final Scheduler scheduler;
    private final long retryMillis;

    /** Wake-ups that no run has seen. */
    private final AtomicInteger wakeUps = new AtomicInteger();

    /**
     * A task that nobody has woken.
     *
     * @param workers where it runs; may refuse when busy
     * @param retryMillis time until it is tried again when the workers are busy, or when it has failed
     */
    WokenTask(Runnable task, Executor workers, Scheduler scheduler, long retryMillis) {
        this.task = task;
        this.workers = workers;
        this.scheduler = scheduler;
        this.retryMillis = retryMillis;
    }

    /** Has the task run soon; never blocks. */
    void wake() {
        if (wakeUps.getAndIncrement() == 0) {
            submit();
        }
    }

    private void submit() {
        try {
            workers.execute(this::run);
        } catch (RejectedExecutionException busy) {
            scheduler.schedule(retryMillis, this::submit);
        }
    }

    private void run() {
        boolean ended = false;
        try {
            int seen = wakeUps.get();
            do {
                task.run();
                seen = wakeUps.addAndGet(-seen);
            } while (seen != 0);
            ended = true;
        } finally {
            if (!ended) { // the pool's fault handler is told
                wakeUps.set(0);
                scheduler.schedule(retryMillis, this::wake);
            }
        }
    }
}
