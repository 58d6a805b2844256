package io.anser.broker.flow;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/** The limits of one topic, or of one client in one direction, and what became of requests because of them. Any thread. */
final class Throttle {
    /** That of whoever has no limit. */
    static final Throttle NONE = new Throttle(Limit.NONE, Limit.NONE, new FlowCounts());

    private final Limit bytes;
    private final Limit messages;
    private final FlowCounts totals;
    private final LongAdder delays = new LongAdder();
    private final LongAdder delayedNanos = new LongAdder();
    private final LongAdder refusals = new LongAdder();
    private final AtomicBoolean known = new AtomicBoolean();

    /**
     * Limits that were not used yet.
     *
     * @param totals counts for all throttles
     */
    Throttle(Limit bytes, Limit messages, FlowCounts totals) {
        this.bytes = bytes;
        this.messages = messages;
        this.totals = totals;
    }

    boolean has(long bytesPerSecond, long messagesPerSecond) {
        return bytes.perSecond() == bytesPerSecond && messages.perSecond() == messagesPerSecond;
    }

    boolean limitsMessages() {
        return messages.perSecond() > 0;
    }

    /** How long there is nothing to be had. */
    long waitNanos(long now) {
        return Math.max(bytes.waitNanos(now), messages.waitNanos(now));
    }

    /** Notes that somebody wants so much, whether it is given or not. */
    void asked(long now, long byteCount, long messageCount) {
        bytes.asked(now, byteCount);
        messages.asked(now, messageCount);
    }

    /** Takes so much, more than there is if need be. */
    void take(long now, long byteCount, long messageCount) {
        bytes.take(now, byteCount);
        messages.take(now, messageCount);
    }

    /** Counts a request that was held back. */
    void delayed(long nanos) {
        totals.delays.increment();
        delays.increment();
        delayedNanos.add(nanos);
    }

    /** Counts a request that was refused, or answered with nothing. */
    void refused() {
        totals.refusals.increment();
        refusals.increment();
    }

    long delays() {
        return delays.sum();
    }

    long refusals() {
        return refusals.sum();
    }

    /** Whether something was delayed or refused. */
    boolean wasFelt() {
        return delays() > 0 || refusals() > 0;
    }

    /** True once, for whoever enters it in a list. */
    boolean becomesKnown() {
        return !known.get() && known.compareAndSet(false, true);
    }

    /** The limit that there is most to wait for, and what is asked for. */
    String describe(long now) {
        boolean byBytes =
                messages.perSecond() == 0 || (bytes.perSecond() > 0 && bytes.waitNanos(now) > messages.waitNanos(now));
        return (byBytes ? bytes : messages).describe(now);
    }

    /** The limit and the counts, for the broker's status. */
    String figures(long now) {
        return describe(now) + " delays=" + delays() + " delayedMillis="
                + TimeUnit.NANOSECONDS.toMillis(delayedNanos.sum()) + " refusals=" + refusals();
    }
}
