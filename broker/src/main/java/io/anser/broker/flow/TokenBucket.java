package io.anser.broker.flow;

/**
 * The rules of a token bucket whose whole state is one number: the time at which it will be full. It fills at a rate, holds
 * what comes in a second, and lets whatever asks take what it needs as long as it is not empty: what a large message takes
 * beyond is owed, and keeps the next one waiting. Pure. Times are nanoseconds from any origin, so only their differences
 * count.
 *
 * <p>Whoever takes only when {@link #waitNanos} is 0 gets, in any time t, at most {@code rate * (t + 1 s)} and one message.
 */
final class TokenBucket {
    /** What a full bucket holds, as the time in which so much comes in. */
    static final long BURST_NANOS = 1_000_000_000;

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private TokenBucket() {}

    /** How long an amount takes to come in, rounded up; at most 2^32 of it count. */
    static long costNanos(long amount, long perSecond) {
        long counted = Math.min(amount, 1L << Integer.SIZE);
        return (counted * NANOS_PER_SECOND + perSecond - 1) / perSecond;
    }

    /** How long from now the bucket is empty; 0 when it is not. */
    static long waitNanos(long fullAt, long now) {
        return Math.max(0, fullAt - now - BURST_NANOS);
    }

    /** When the bucket will be full, after something was taken now. */
    static long taken(long fullAt, long now, long costNanos) {
        return Math.max(0, fullAt - now) + now + costNanos;
    }
}
