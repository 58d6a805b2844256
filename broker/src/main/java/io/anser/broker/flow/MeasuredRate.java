package io.anser.broker.flow;

import java.util.concurrent.atomic.AtomicLong;

/** How much was asked for per second lately, by about a second's measure. Any thread; exact enough for people. */
final class MeasuredRate {
    private static final long WINDOW_NANOS = 1_000_000_000;

    private final AtomicLong since;
    private final AtomicLong count = new AtomicLong();
    private volatile double last;

    MeasuredRate(long now) {
        since = new AtomicLong(now);
    }

    void add(long now, long amount) {
        count.addAndGet(amount);
        long from = since.get();
        if (now - from >= WINDOW_NANOS && since.compareAndSet(from, now)) {
            last = perSecond(count.getAndSet(0), now - from);
        }
    }

    /** The last whole window, or the present one where more has come already or the last was long ago. */
    double perSecond(long now) {
        long elapsed = now - since.get();
        double present = perSecond(count.get(), Math.max(elapsed, WINDOW_NANOS));
        return elapsed > 2 * WINDOW_NANOS ? present : Math.max(last, present);
    }

    private static double perSecond(long counted, long nanos) {
        return counted * 1e9 / nanos;
    }
}
