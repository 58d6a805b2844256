package io.anser.store.log;

import org.jspecify.annotations.Nullable;

/** The beginning of a replicated log: its segments go only when the group's engine has forgotten what they hold. Any thread. */
public final class LogPrefix {
    private final EntryLog log;
    private volatile @Nullable PrefixOwner owner;

    /** The beginning of a log that nothing of may go until its owner is known. */
    public LogPrefix(EntryLog log) {
        this.log = log;
    }

    /** Names the engine. */
    public void ownedBy(PrefixOwner engine) {
        owner = engine;
    }

    /** Whether this member decides what the log may lose. */
    public boolean isDecidedHere() {
        PrefixOwner engine = owner;
        return engine != null && engine.leads();
    }

    /**
     * Asks for the entries before a segment to be forgotten.
     *
     * @param position where the segment starts, all before it is committed
     * @return whether they are
     */
    public boolean letGo(long position) {
        PrefixOwner engine = owner;
        long first = log.indexAt(position);
        return engine != null && first > 0 && engine.letGo(first) && log.firstIndex() >= first;
    }
}
