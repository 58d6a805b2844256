package io.anser.store.log;

import io.anser.system.Clock;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * How long the stops of the log take for one round of their work, so that a refusal can say which of them is slow. Each
 * stop is measured by the thread that works there; any thread reads.
 */
public final class LogPace {
    private final Clock clock;
    private final boolean flushIsAwaited;
    private final Stop writing = new Stop();
    private final Stop flushing = new Stop();
    private final Stop committing = new Stop();

    /**
     * Nothing was measured yet.
     *
     * @param flushIsAwaited whether a commit waits for the flush, which may be slow then
     */
    public LogPace(Clock clock, boolean flushIsAwaited) {
        this.clock = clock;
        this.flushIsAwaited = flushIsAwaited;
    }

    /** One stop. */
    private static final class Stop {
        private volatile boolean working;
        private volatile long sinceNanos;
        private volatile long lastNanos;

        /** The last round, or the present one when that takes longer already. */
        long nanos(long now) {
            // The flag first: the time behind it is then that of this round or of a later one, never of an earlier.
            return working ? Math.max(lastNanos, now - sinceNanos) : lastNanos;
        }
    }

    /** The log writer's work, measured. */
    BooleanSupplier writing(BooleanSupplier work) {
        return () -> measured(writing, work);
    }

    /** The flusher's work, measured. */
    BooleanSupplier flushing(BooleanSupplier work) {
        return () -> measured(flushing, work);
    }

    /** The committing thread's work, measured. */
    BooleanSupplier committing(BooleanSupplier work) {
        return () -> measured(committing, work);
    }

    private boolean measured(Stop stop, BooleanSupplier work) {
        long from = clock.nanos();
        stop.sinceNanos = from;
        stop.working = true;
        boolean worked = false;
        try {
            worked = work.getAsBoolean();
            return worked;
        } finally {
            if (worked) {
                stop.lastNanos = clock.nanos() - from;
            }
            stop.working = false;
        }
    }

    /** Milliseconds that a write of a batch takes: the last one, or the present one when that takes longer already. */
    public long writeMillis() {
        return millis(writing);
    }

    /** The same of a flush to the device. */
    public long flushMillis() {
        return millis(flushing);
    }

    /** The same of the commit of what is written or flushed, the answers to its senders included. */
    public long commitMillis() {
        return millis(committing);
    }

    private long millis(Stop stop) {
        return TimeUnit.NANOSECONDS.toMillis(stop.nanos(clock.nanos()));
    }

    /** What takes longest of what senders wait for, in words: {@code the device takes 1,200 ms to flush}. */
    String slowest() {
        long flush = flushIsAwaited ? flushMillis() : -1;
        long write = writeMillis();
        long commit = commitMillis();
        if (flush >= write && flush >= commit) {
            return takes("the device", flush, "flush");
        }
        return write >= commit
                ? takes("the system", write, "take a write to the log")
                : takes("the broker", commit, "index and answer a batch");
    }

    private static String takes(String who, long millis, String what) {
        return String.format(Locale.ROOT, "%s takes %,d ms to %s", who, millis, what);
    }
}
