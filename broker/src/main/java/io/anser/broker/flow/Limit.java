package io.anser.broker.flow;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** One limit per second and how far it is used up. Any thread, without locks. */
final class Limit {
    /** No limit. */
    static final Limit NONE = new Limit(0, "", "", 0);

    private final long perSecond;
    private final String unit;
    private final String setBy;
    private final AtomicLong fullAt;
    private final MeasuredRate asked;

    /**
     * A limit with all of a second's amount to give.
     *
     * @param perSecond 0: there is none
     * @param unit of what it limits, plural
     * @param setBy the setting or attribute that sets it
     */
    Limit(long perSecond, String unit, String setBy, long now) {
        this.perSecond = perSecond;
        this.unit = unit;
        this.setBy = setBy;
        this.fullAt = new AtomicLong(now);
        this.asked = new MeasuredRate(now);
    }

    long perSecond() {
        return perSecond;
    }

    /** How long there is nothing to be had. */
    long waitNanos(long now) {
        return perSecond == 0 ? 0 : TokenBucket.waitNanos(fullAt.get(), now);
    }

    /** Takes an amount, more than there is if need be. */
    void take(long now, long amount) {
        if (perSecond == 0) {
            return;
        }
        long cost = TokenBucket.costNanos(amount, perSecond);
        long before;
        do {
            before = fullAt.get();
        } while (!fullAt.compareAndSet(before, TokenBucket.taken(before, now, cost)));
    }

    /** Notes that somebody wants so much, whether it is given or not. */
    void asked(long now, long amount) {
        if (perSecond > 0) {
            asked.add(now, amount);
        }
    }

    /** The limit and what is asked for: {@code limit=10 messages/s asked=57.3 messages/s (quota.produce.messages)}. */
    String describe(long now) {
        return String.format(
                Locale.ROOT, "limit=%d %s/s asked=%.1f %s/s (%s)", perSecond, unit, asked.perSecond(now), unit, setBy);
    }
}
