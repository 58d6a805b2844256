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
 * @param replicated whether the log is that of a group, whose engine decides what it holds
 * @param worker runs what is slow
 */
record StoreSurroundings(
        StoreSettings settings,
        Storage storage,
        Optional<ApacheStore> apache,
        int newSegmentBytes,
        boolean replicated,
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
        this(settings, storage, apache, newSegmentBytes, false, state, commits, clock, worker, faults);
    }
}
