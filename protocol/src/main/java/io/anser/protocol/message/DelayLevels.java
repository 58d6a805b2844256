package io.anser.protocol.message;

/**
 * The 18 fixed delays a message can ask for with the property {@link PropertyNames#DELAY}: level 1 is one second,
 * level 18 two hours. Level {@code n} waits in queue {@code n - 1} of {@link Names#SCHEDULE_TOPIC}.
 */
public final class DelayLevels {
    /** Number of levels, and the highest level. */
    public static final int COUNT = 18;
    /** Level of the first retry; the n-th retry takes level {@code FIRST_RETRY + n}, n counted from 0. */
    public static final int FIRST_RETRY = 3;

    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;

    private static final long[] MILLIS = {
        SECOND,
        5 * SECOND,
        10 * SECOND,
        30 * SECOND,
        MINUTE,
        2 * MINUTE,
        3 * MINUTE,
        4 * MINUTE,
        5 * MINUTE,
        6 * MINUTE,
        7 * MINUTE,
        8 * MINUTE,
        9 * MINUTE,
        10 * MINUTE,
        20 * MINUTE,
        30 * MINUTE,
        HOUR,
        2 * HOUR
    };

    private DelayLevels() {}

    /** Delay of {@code level} in milliseconds; 0 for a level below 1, the longest for one above {@link #COUNT}. */
    public static long delayMillis(int level) {
        return level < 1 ? 0 : MILLIS[clamp(level) - 1];
    }

    /** {@code level} cut to {@code [0, COUNT]}; 0 means no delay. */
    public static int clamp(int level) {
        return Math.max(0, Math.min(level, COUNT));
    }

    /** Level of the next delivery of a message that was consumed {@code reconsumeTimes} times without success. */
    public static int retryLevel(int reconsumeTimes) {
        return reconsumeTimes >= COUNT - FIRST_RETRY ? COUNT : Math.max(0, reconsumeTimes) + FIRST_RETRY;
    }

    /** Queue of {@link Names#SCHEDULE_TOPIC} in which {@code level} (at least 1) waits. */
    public static int queueId(int level) {
        return clamp(level) - 1;
    }
}
