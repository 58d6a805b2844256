package io.anser.store;

import io.anser.store.adoption.ApacheStore;
import io.anser.store.file.Storage;
import io.anser.store.state.CommitListener;
import io.anser.store.state.StateMachine;
import io.anser.system.Clock;
import io.anser.system.FaultHandler;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * What whoever opens a store brings along.
 *
 * @param apache the store that is, or was, adopted
 * @param newSegmentBytes size of the segments of a store that is made now
 * @param kind who decides what the log holds
 * @param worker runs what is slow
 */
record StoreSurroundings(
        StoreSettings settings,
        Storage storage,
        Optional<ApacheStore> apache,
        int newSegmentBytes,
        LogKind kind,
        StateMachine state,
        CommitListener commits,
        Clock clock,
        Executor worker,
        FaultHandler faults) {
    /** What opens a store of its own. */
    StoreSurroundings(
            StoreSettings settings,
            Storage storage,
            Optional<ApacheStore> apache,
            int newSegmentBytes,
            StateMachine state,
            CommitListener commits,
            Clock clock,
            Executor worker,
            FaultHandler faults) {
        this(settings, storage, apache, newSegmentBytes, LogKind.OWN, state, commits, clock, worker, faults);
    }

    /** Whether the log is that of a group. */
    boolean replicated() {
        return kind == LogKind.GROUP;
    }
}
