package io.anser.client;

import java.time.Duration;

/**
 * How long a message whose handler failed waits before it comes again.
 *
 * <p>Where the broker keeps the message meanwhile (a clustering consumer that is not orderly) the wait is rounded up to one
 * of the broker's 18 fixed delays, at most 2 hours.
 */
@FunctionalInterface
public interface Backoff {
    /**
     * The wait after a failed attempt.
     *
     * @param failedAttempt 1 for the first one
     */
    Duration after(int failedAttempt);

    /** Always the same wait. */
    static Backoff fixed(Duration wait) {
        return failedAttempt -> wait;
    }

    /** The first wait, then twice the one before, up to a longest one. */
    static Backoff exponential(Duration first, Duration longest) {
        return failedAttempt -> {
            int doublings = Math.min(failedAttempt - 1, 30);
            Duration wait = first.multipliedBy(1L << doublings);
            return wait.compareTo(longest) > 0 ? longest : wait;
        };
    }
}
