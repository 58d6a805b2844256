package io.anser.store.log;

import io.anser.store.file.StoreException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a primary's store does for its replicas: gives them its records, tells when there are more, and, where they are waited
 * for, commits nothing that they do not have. Any thread.
 */
public final class LogFeed implements LogSource {
    private final CommitLog log;
    private final Watermarks marks;
    private final boolean forcing;
    private final AtomicLong unreplicatedUnits = new AtomicLong();
    private volatile LongSupplier limit = LogFeed::noLimit;
    private volatile LongSupplier replicated = LogFeed::noLimit;
    private volatile @Nullable StoreException refusal;
    private volatile @Nullable StoreException abandoned;
    private volatile Runnable onDurable = () -> {};
    private volatile Runnable wake = () -> {};
    private volatile long told;

    /**
     * The feed of a log.
     *
     * @param forcing whether a record has to be on the device before it counts
     */
    public LogFeed(CommitLog log, Watermarks marks, boolean forcing) {
        this.log = log;
        this.marks = marks;
        this.forcing = forcing;
    }

    /** Nothing is waited for. */
    private static long noLimit() {
        return Long.MAX_VALUE;
    }

    @Override
    public int segmentBytes() {
        return log.segmentBytes();
    }

    @Override
    public long minPosition() {
        return log.minPosition();
    }

    @Override
    public long durable() {
        return forcing ? marks.forced() : marks.appended();
    }

    @Override
    public long committed() {
        return marks.committed();
    }

    @Override
    public boolean holds(LogPoint point) {
        return point.position() <= durable() && LogScanner.holds(log, point);
    }

    @Override
    public Optional<ByteBuffer> read(long position, int bytesMax) {
        long until = Math.min(durable(), position - position % log.segmentBytes() + log.segmentBytes());
        if (position < log.minPosition() || position >= until) {
            return Optional.empty();
        }
        ByteBuffer there = log.readable(position, until);
        int at = 0;
        while (at < there.limit() && LogRecord.looksLikeHeader(there, at)) {
            int end = at + LogRecord.length(there, at);
            if (at > 0 && end > bytesMax) {
                break;
            }
            boolean rolls = LogRecord.type(there, at) == LogRecord.ROLL;
            at = end;
            if (rolls) {
                break;
            }
        }
        return at == 0 ? Optional.empty() : Optional.of(there.slice(0, at).asReadOnlyBuffer());
    }

    /** Has somebody told when {@link #durable} or {@link #committed} has moved, by a thread of the log; must not block. */
    public void onDurable(Runnable listener) {
        onDurable = listener;
    }

    /**
     * Commits nothing behind a position from now on.
     *
     * @param position before which everything may be committed
     * @param copied before which enough replicas have everything: what is committed behind it is counted
     */
    public void waitForReplicas(LongSupplier position, LongSupplier copied) {
        limit = position;
        replicated = copied;
    }

    /** Says that the position given to {@link #waitForReplicas} has moved. */
    public void limitMoved() {
        wake.run();
    }

    /** Names who wakes the committing thread. Called once, before the first units. */
    public void wakeWith(Runnable waking) {
        wake = waking;
    }

    /** Refuses what is appended from now on, or takes it again. */
    public void refuse(@Nullable StoreException reason) {
        refusal = reason;
    }

    /** How many units were committed that not enough replicas had, since the start. */
    public long unreplicatedUnits() {
        return unreplicatedUnits.get();
    }

    /** Fails what waits for replicas: the store closes, and nobody will tell it any more. */
    public void abandon() {
        long last = limit.getAsLong();
        limit = () -> last; // of units in order, none is committed behind one that failed
        abandoned = new StoreException(
                StoreException.Kind.UNDECIDED, "this broker ended before enough replicas had what was sent");
    }

    /** Why nothing is taken in now; null when it is. */
    @Nullable
    StoreException refusal() {
        return refusal;
    }

    /** Why what is behind {@link #commitLimit} will not be committed; null while that may change. */
    @Nullable
    StoreException abandoned() {
        return abandoned;
    }

    long commitLimit() {
        return limit.getAsLong();
    }

    void committed(WrittenBatch batch) {
        if (batch.end().position() > replicated.getAsLong()) {
            unreplicatedUnits.addAndGet(batch.count());
        }
    }

    /** Told by the log's threads after each piece of work. */
    void progressed() {
        long now = durable() + committed(); // each only grows
        if (now != told) {
            told = now;
            onDurable.run();
        }
    }
}
