package io.anser.system;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Starts named threads. All are daemons: what must be finished before the process ends is finished by a close method. */
public final class Threads {
    private static final long IDLE_WORKER_SECONDS = 30;

    private Threads() {}

    /**
     * Starts a thread.
     *
     * @param name the thread's name, as logs and thread dumps show it
     * @param body what it runs; whatever it throws goes to {@code faults}
     * @param faults told of what ended the thread abnormally
     */
    public static Thread start(String name, Runnable body, FaultHandler faults) {
        Thread thread = daemon(name, body, faults);
        thread.start();
        return thread;
    }

    /** A thread that somebody else starts, such as a hook of the JVM. */
    public static Thread unstarted(String name, Runnable body) {
        return new Thread(body, name);
    }

    /**
     * A pool for slow or rare work, which may block. Threads are named {@code prefix-0, prefix-1, ...} and end when idle.
     *
     * @param threads most threads at once
     * @param queueCapacity most tasks waiting; beyond it {@code execute} throws RejectedExecutionException
     */
    public static ExecutorService workers(String prefix, int threads, int queueCapacity, FaultHandler faults) {
        AtomicInteger count = new AtomicInteger();
        ThreadFactory factory = task -> daemon(prefix + "-" + count.getAndIncrement(), task, faults);
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads,
                threads,
                IDLE_WORKER_SECONDS,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(queueCapacity),
                factory);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /**
     * Runs a task that no interrupt of the caller may reach, such as one that writes to files: an interrupt would close their
     * channels. The task gets a thread of its own, for whose end the caller waits; the caller's flag is kept.
     *
     * <p>What the task throws is thrown to the caller.
     *
     * @param name the thread's name
     */
    public static void runUninterrupted(String name, Runnable task) {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        awaitEnd(start(name, task, (where, cause) -> failure.set(cause)));
        Throwable thrown = failure.get();
        if (thrown instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (thrown instanceof Error error) {
            throw error;
        }
    }

    /** Waits for a thread's end, also when the caller is interrupted meanwhile, whose flag is then set. */
    public static void awaitEnd(Thread thread) {
        boolean interrupted = Thread.interrupted();
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        restore(interrupted);
    }

    /**
     * Waits for the end of a pool that was shut down, also when the caller is interrupted meanwhile, whose flag is then set.
     *
     * @param seconds longest time
     * @return whether all its tasks have ended
     */
    public static boolean awaitEnd(ExecutorService pool, long seconds) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        boolean interrupted = Thread.interrupted();
        boolean ended = false;
        for (boolean waiting = true; waiting; ) {
            try {
                ended = pool.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                waiting = false;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        restore(interrupted);
        return ended;
    }

    private static void restore(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static Thread daemon(String name, Runnable body, FaultHandler faults) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((failed, cause) -> faults.fault(failed.getName(), cause));
        return thread;
    }
}
