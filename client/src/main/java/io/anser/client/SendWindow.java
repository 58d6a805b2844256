package io.anser.client;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The bound on what was sent and not yet answered, in messages and in bytes: a producer that is faster than the broker
 * waits here instead of filling the memory. Thread-safe.
 */
final class SendWindow {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private final int maxMessages;
    private final long maxBytes;
    private int messages;
    private long bytes;

    SendWindow(int maxMessages, long maxBytes) {
        this.maxMessages = maxMessages;
        this.maxBytes = maxBytes;
    }

    /** Takes a place if there is one. A single message larger than the whole window gets in when it is alone. */
    boolean tryEnter(long size) {
        lock.lock();
        try {
            return enterIfFree(size);
        } finally {
            lock.unlock();
        }
    }

    /** Takes a place, waiting for one if need be. Returns false when none came free in time. */
    boolean enter(long size, long waitMillis) throws InterruptedException {
        lock.lock();
        try {
            long remaining = TimeUnit.MILLISECONDS.toNanos(waitMillis);
            while (!enterIfFree(size)) {
                if (remaining <= 0) {
                    return false;
                }
                remaining = freed.awaitNanos(remaining);
            }
            // A large place that came free may hold several small ones, and was announced to one only.
            freed.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Gives a place back. */
    void leave(long size) {
        lock.lock();
        try {
            messages--;
            bytes -= size;
            freed.signal();
        } finally {
            lock.unlock();
        }
    }

    private boolean enterIfFree(long size) {
        boolean free = messages == 0 || (messages < maxMessages && bytes + size <= maxBytes);
        if (free) {
            messages++;
            bytes += size;
        }
        return free;
    }
}
