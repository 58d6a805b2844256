package io.anser.store.queue;

/** Which message a search by time means when several, or none, were stored at exactly that time. */
public enum TimeBoundary {
    /** The first message stored at or after the time. */
    LOWER,
    /** The last message stored at or before the time. */
    UPPER
}
