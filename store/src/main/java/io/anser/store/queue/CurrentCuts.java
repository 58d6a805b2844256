package io.anser.store.queue;

/** The cuts that count now, shared by all queues. Written by the committing thread, read by any. */
public final class CurrentCuts {
    private volatile ExpiryCuts now = ExpiryCuts.NONE;

    /** No cuts yet. */
    public CurrentCuts() {}

    /** The cuts that count now. */
    public ExpiryCuts now() {
        return now;
    }

    /**
     * Lets them count, for readers at once. Committing thread only, and never for messages of the batch that is being
     * applied: all before a cut has been published.
     */
    public void show(ExpiryCuts next) {
        now = next;
    }
}
