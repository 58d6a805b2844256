package io.anser.store.log;

/** The engine of a group, which reads the beginning of the log for members that are behind. Thread-safe. */
public interface PrefixOwner {
    /** Whether this member leads its group, and so decides what the log may lose. */
    boolean leads();

    /**
     * Has the engine forget the entries before one. Whoever needs them from now on is given a snapshot, so the newest snapshot
     * must hold what they did.
     *
     * @return whether it has forgotten them; if not, it may have by the next time that it is asked
     */
    boolean letGo(long firstIndexKept);
}
