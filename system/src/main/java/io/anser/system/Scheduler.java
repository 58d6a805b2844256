package io.anser.system;

/**
 * Runs small tasks later. Tasks run one at a time on the scheduler's own thread and must not block: slow work is handed
 * to a worker pool from there. Implementations are thread-safe.
 */
public interface Scheduler {
    /**
     * Runs a task once.
     *
     * @param delayMillis milliseconds from now; zero or less means as soon as possible
     * @param task what to run; an exception it throws goes to the scheduler's fault handler and stops nothing else
     */
    Cancellable schedule(long delayMillis, Runnable task);

    /**
     * Runs a task again and again: the first time after one period, then one period after each run has ended.
     *
     * @param periodMillis milliseconds between runs, at least 1
     */
    default Cancellable every(long periodMillis, Runnable task) {
        return Repetition.start(this, periodMillis, task);
    }
}
