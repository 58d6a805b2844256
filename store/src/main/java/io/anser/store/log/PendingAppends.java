package io.anser.store.log;

import io.anser.store.file.StoreException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.queues.MpscArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The door of the log: units that wait to be written, in the order in which they will be. Bounded by the count and bytes of
 * all units that have no outcome yet, those already written included. Any thread offers, the log writer polls.
 */
public final class PendingAppends {
    private final MpscArrayQueue<Append> queue;
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final int countMax;
    private final long bytesMax;
    private final int unitBytesMax;
    private final Fence fence;
    private volatile boolean closed;

    /**
     * An open door.
     *
     * @param settings how many units may be without an outcome, and how many bytes of them
     * @param unitBytesMax largest single unit, which a segment must have room for
     */
    public PendingAppends(AppendSettings settings, int unitBytesMax, Fence fence) {
        this.countMax = settings.pendingAppendsMax();
        this.bytesMax = settings.pendingBytesMax();
        this.queue = new MpscArrayQueue<>(countMax);
        this.unitBytesMax = unitBytesMax;
        this.fence = fence;
    }

    /**
     * Takes a unit in.
     *
     * @throws StoreException BUSY, REFUSED, FENCED or CLOSED; the unit was not taken
     */
    void offer(Append append) {
        int size = append.measure();
        if (size > unitBytesMax) {
            throw new StoreException(
                    StoreException.Kind.REFUSED, "unit bytes=" + size + " exceed the limit=" + unitBytesMax);
        }
        // Counted before the door is checked: who closes it then waits until every counted unit has left.
        int waiting = count.incrementAndGet();
        long waitingBytes = bytes.addAndGet(size);
        StoreException refusal = refusal(waiting, waitingBytes, size);
        if (refusal != null) {
            release(1, size);
            throw refusal;
        }
        queue.offer(append); // has room: the count is bounded by its capacity
    }

    private @Nullable StoreException refusal(int waiting, long waitingBytes, int size) {
        StoreException fenced = fence.reason();
        if (fenced != null) {
            return fenced;
        }
        if (closed) {
            return new StoreException(StoreException.Kind.CLOSED, "the store is closed");
        }
        // A single unit is taken however large it is, or a small bound would refuse it for ever.
        if (waiting > countMax || (waitingBytes > bytesMax && waitingBytes > size)) {
            return new StoreException(
                    StoreException.Kind.BUSY,
                    "appends waiting=" + waiting + " limit=" + countMax + " bytes=" + waitingBytes + " limit="
                            + bytesMax);
        }
        return null;
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    @Nullable
    Append poll() {
        return queue.poll();
    }

    /** Units have their outcome. Committing thread, and the door itself. */
    void release(int units, long unitBytes) {
        bytes.addAndGet(-unitBytes);
        count.addAndGet(-units);
    }

    /** Refuses everything from now on. */
    public void close() {
        closed = true;
    }

    /** Whether every unit that was ever taken has had its outcome. */
    boolean isIdle() {
        return count.get() == 0;
    }
}
