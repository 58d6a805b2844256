package io.anser.raft;

/** Told on the applying thread who leads; must not block. */
public interface LeadListener {
    /**
     * This member is about to lead: it has applied an entry of its own term, so everything that was ever confirmed. It takes
     * requests and proposals when this has returned.
     */
    default void takesOver() {}

    /**
     * This member leads from now on, and may propose.
     *
     * @param term of its lead; higher than that of every leader before
     */
    void leads(long term);

    /** This member does not lead any more, and knows no other leader yet. */
    void leadsNoMore();

    /** Another member is known to lead, or none any more. */
    default void leaderKnown(boolean known) {}

    /**
     * This member lacked the beginning of the log, and another has given it: what it has received takes the place of its files
     * when engine and store are closed and opened again. Until then it takes no part in the group. Told on a worker, which the
     * engine waits for when it is closed: whoever closes it for that does so on another thread.
     */
    default void installed() {}
}
