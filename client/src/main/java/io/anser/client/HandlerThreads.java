package io.anser.client;

import io.anser.system.FaultHandler;
import io.anser.system.Threads;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that run the application's handler: at most so many at once. What waits here is bounded by the flow control
 * of the queues, which take no more from the brokers until it was handled. A thread is woken per burst, not per message.
 */
final class HandlerThreads {
    private final int maxThreads;
    private final ExecutorService pool;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger running = new AtomicInteger();
    private volatile boolean closed;

    HandlerThreads(String name, int maxThreads, FaultHandler faults) {
        this.maxThreads = maxThreads;
        // A thread that has just counted itself out may not be back in the pool yet: hence room for as many again.
        this.pool = Threads.workers(name, maxThreads, maxThreads, faults);
    }

    /** Runs a task soon; drops it once closed. */
    void submit(Runnable task) {
        if (closed) {
            return;
        }
        tasks.add(task);
        if (enter()) {
            start();
        }
    }

    private void start() {
        try {
            pool.execute(this::run);
        } catch (RejectedExecutionException e) {
            // Closed between the look and the start: what is left is dropped like everything after closing.
            running.decrementAndGet();
        }
    }

    private boolean enter() {
        int now = running.get();
        while (now < maxThreads) {
            if (running.compareAndSet(now, now + 1)) {
                return true;
            }
            now = running.get();
        }
        return false;
    }

    private void run() {
        boolean counted = true;
        while (counted) {
            runAll();
            running.decrementAndGet();
            // A task added between the last look and the count went unseen by its submitter: look again.
            counted = !tasks.isEmpty() && enter();
        }
    }

    private void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    /** Takes no more tasks, and waits for those that run. Returns false if some still run when the time is over. */
    boolean close(long waitMillis) throws InterruptedException {
        closed = true;
        tasks.clear();
        pool.shutdown();
        return pool.awaitTermination(waitMillis, TimeUnit.MILLISECONDS);
    }
}
