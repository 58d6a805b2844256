package io.anser.client;

import io.anser.protocol.message.DelayLevels;
import java.time.Duration;

/** Finds the delay level of the broker that fits a wait: the shortest that is not shorter than asked. */
final class DelayRounding {
    static final int LEVELS = DelayLevels.COUNT;

    private DelayRounding() {}

    /**
     * The level for a delay of the application.
     *
     * @throws IllegalArgumentException if it is negative or longer than the longest level
     */
    static int levelFor(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay " + delay + " is negative");
        }
        int level = levelAtLeast(delay.toMillis());
        if (level > LEVELS) {
            throw new IllegalArgumentException("delay " + delay + " is longer than the limit of 2 hours");
        }
        return level;
    }

    /** The level for a wait between attempts; waits longer than the longest level get that one, and the shortest is 1. */
    static int levelForRetry(Duration wait) {
        return Math.max(1, Math.min(LEVELS, levelAtLeast(wait.toMillis())));
    }

    private static int levelAtLeast(long millis) {
        if (millis == 0) {
            return 0;
        }
        int level = 1;
        while (level <= LEVELS && DelayLevels.delayMillis(level) < millis) {
            level++;
        }
        return level;
    }
}
