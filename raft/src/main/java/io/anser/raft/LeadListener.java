package io.anser.raft;

/** Told on the applying thread who leads; must not block. */
public interface LeadListener {
    /**
     * This member leads from now on, and has applied an entry of its own term, so everything that was ever confirmed.
     *
     * @param term of its lead; higher than that of every leader before
     */
    void leads(long term);

    /** This member does not lead any more. */
    void leadsNoMore();
}
