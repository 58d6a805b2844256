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
public final class PendingAppends implements LogRoom {
    /** Of the places and bytes one part in so many is kept for state changes when messages fill the rest. */
    private static final int RESERVED_PART = 8;

    private final MpscArrayQueue<Append> queue;
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final int countMax;
    private final long bytesMax;
    private final int unitBytesMax;
    private final int copyBytesMax;
    private final Fence fence;
    private final LogPace pace;
    private volatile boolean closed;
    private final AtomicInteger lead = new AtomicInteger();

    /**
     * An open door.
     *
     * @param settings how many units may be without an outcome, and how many bytes of them
     * @param unitBytesMax largest single unit, which a segment must have room for
     * @param copyBytesMax largest unit that makes room, which a segment must have room for: a copy of a message may be
     *     larger than the message
     * @param pace tells what is slow when too much waits
     */
    public PendingAppends(AppendSettings settings, int unitBytesMax, int copyBytesMax, Fence fence, LogPace pace) {
        this.countMax = settings.pendingAppendsMax();
        this.bytesMax = settings.pendingBytesMax();
        this.queue = new MpscArrayQueue<>(countMax);
        this.unitBytesMax = unitBytesMax;
        this.copyBytesMax = copyBytesMax;
        this.fence = fence;
        this.pace = pace;
    }

    @Override
    public boolean hasRoom(int messageBytes) {
        long waitingBytes = bytes.get();
        return count.get() < countMax - countMax / RESERVED_PART
                && (waitingBytes == 0 || waitingBytes + messageBytes <= bytesMax - bytesMax / RESERVED_PART);
    }

    @Override
    public LogLoad load() {
        return new LogLoad(
                Math.max(0, count.get()),
                Math.max(0, bytes.get()),
                pace.writeMillis(),
                pace.flushMillis(),
                pace.commitMillis());
    }

    @Override
    public String overload() {
        return overload(count.get(), bytes.get());
    }

    private String overload(int waiting, long waitingBytes) {
        return pace.slowest() + "; appends waiting=" + waiting + " limit=" + countMax + " bytes=" + waitingBytes
                + " limit=" + bytesMax;
    }

    /**
     * Takes a unit in.
     *
     * @throws StoreException BUSY, REFUSED, FENCED or CLOSED; the unit was not taken
     */
    void offer(Append append) {
        int size = append.measure();
        append.handedOverIn(lead.get());
        int limit = append.makesRoom() ? copyBytesMax : unitBytesMax;
        if (size > limit) {
            throw new StoreException(StoreException.Kind.REFUSED, "unit bytes=" + size + " exceed the limit=" + limit);
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
            return new StoreException(StoreException.Kind.BUSY, overload(waiting, waitingBytes));
        }
        return null;
    }

    /** In a replicated group: what is taken in from now on was decided in a new lead. Any thread. */
    void beginLead() {
        lead.incrementAndGet();
    }

    /** Whether a unit was taken in since the last lead has begun. */
    boolean isOfThisLead(Append append) {
        return append.handedOverIn() == lead.get();
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
