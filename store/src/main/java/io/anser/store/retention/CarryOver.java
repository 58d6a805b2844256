package io.anser.store.retention;

/** The owner of messages that must outlive their segments, such as delayed ones. */
@FunctionalInterface
public interface CarryOver {
    /** Nothing outlives its segment. */
    CarryOver NOTHING = (untilPosition, free) -> free.run();

    /**
     * Appends again what lies before a log position and is still needed; from then on the owner's state names the new place.
     * Called by a worker before segments are removed, and again at a later removal when it did not end.
     *
     * @param free run once when nothing before the position is needed any more, in this call or on the committing thread;
     *     not run when that failed
     */
    void carryOver(long untilPosition, Runnable free);
}
