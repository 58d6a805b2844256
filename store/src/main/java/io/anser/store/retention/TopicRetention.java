package io.anser.store.retention;

/**
 * What one topic asks for.
 *
 * @param reserveMillis how long its messages are kept, in milliseconds; 0: as long as the store's
 * @param bytes how many bytes of its messages are kept at the most; 0: no limit
 * @param dropOldest whether its oldest messages may be given up when the device is full
 */
public record TopicRetention(long reserveMillis, long bytes, boolean dropOldest) {
    /** What a topic asks for that says nothing. */
    public static final TopicRetention DEFAULT = new TopicRetention(0, 0, false);

    /** Checks the values. */
    public TopicRetention {
        if (reserveMillis < 0 || bytes < 0) {
            throw new IllegalArgumentException("reserveMillis=" + reserveMillis + " bytes=" + bytes);
        }
    }

    /** Whether its messages expire at another time than those of other topics. */
    boolean hasOwnCut() {
        return reserveMillis > 0 || bytes > 0;
    }
}
