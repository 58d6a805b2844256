package io.anser.store;

import io.anser.store.install.InstallSource;
import io.anser.store.install.Installation;
import io.anser.store.log.EntryCommitter;
import io.anser.store.log.EntryFormer;
import io.anser.store.log.EntryLog;
import io.anser.store.log.LogPrefix;

/**
 * A store's side of a replicated group: what the group's engine works with.
 *
 * @param log its entries, written and cut by the engine's log thread
 * @param former proposes what is appended to the store
 * @param committer applies what the group has agreed upon, on the engine's applying thread
 * @param prefix the beginning of the log, which the engine has to let go
 * @param source gives other members the beginning of the log, when they lack what the log has no more
 * @param installation receives that from another member
 */
public record Replica(
        EntryLog log,
        EntryFormer former,
        EntryCommitter committer,
        LogPrefix prefix,
        InstallSource source,
        Installation installation) {
    /** Largest unit, and so largest entry, in bytes: members send one another entries as a whole. */
    public static final int UNIT_BYTES_MAX = 8 << 20;
}
