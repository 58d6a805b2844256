package io.anser.system;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

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

    private static Thread daemon(String name, Runnable body, FaultHandler faults) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((failed, cause) -> faults.fault(failed.getName(), cause));
        return thread;
    }
}
