package io.anser.store.log;

import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueRegistry;
import java.util.Optional;

/**
 * What recovery finds of a replicated log behind its snapshot: entries that may be committed or not, which only the group can
 * tell. They are taken in without being applied. Used by the recovering thread.
 */
public final class RecoveredEntries {
    private final LogPoint applied;
    private final UncommittedEntries entries;

    /** Nothing found yet behind a place up to which everything is committed and applied. */
    public RecoveredEntries(CommitLog log, QueueRegistry queues, LogPoint applied) {
        this.applied = applied;
        this.entries = new UncommittedEntries(log, queues, applied);
    }

    /**
     * Takes in all entries that a scanner, which stands at the place, finds.
     *
     * @throws StoreException IO when there is damage: an entry that others may rely on must not be left out
     */
    public void read(LogScanner scanner) {
        while (scanner.next()) {
            entries.found(scanner);
        }
        Optional<LogScanner.Skipped> damage = scanner.skipDamage();
        if (damage.isPresent()) {
            throw new StoreException(
                    StoreException.Kind.IO,
                    "the log is damaged in [" + damage.get().from() + ","
                            + damage.get().until()
                            + "), and a member of a group must not go on without an entry that it has confirmed;"
                            + " remove its store, and have the others bring it up to date");
        }
    }

    /** Up to where everything is applied. */
    public LogPoint applied() {
        return applied;
    }

    /** The place behind the last entry, before the roll that may follow it. */
    public LogPoint end() {
        return entries.last();
    }

    UncommittedEntries entries() {
        return entries;
    }
}
