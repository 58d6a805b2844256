package io.anser.broker.traffic;

/** What one counter stood at when the last two days began, in UTC; zero where the broker did not run then. */
final class DailyCount {
    private static final long MILLIS_PER_DAY = 86_400_000;

    private long day;
    private volatile long thisMorning;
    private volatile long lastMorning;

    DailyCount(long wallMillis) {
        day = Math.floorDiv(wallMillis, MILLIS_PER_DAY);
    }

    /** Notes the counter; the first note of a day is its morning. One thread. */
    void sample(long wallMillis, long count) {
        long today = Math.floorDiv(wallMillis, MILLIS_PER_DAY);
        if (today > day) {
            lastMorning = today == day + 1 ? thisMorning : count;
            thisMorning = count;
            day = today;
        }
    }

    long thisMorning() {
        return thisMorning;
    }

    long lastMorning() {
        return lastMorning;
    }
}
