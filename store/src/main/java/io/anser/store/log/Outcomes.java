package io.anser.store.log;

import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueIndexer;
import io.anser.store.state.CommitListener;
import io.anser.system.FaultHandler;
import org.jspecify.annotations.Nullable;

/** Tells senders, and those who wait for messages, what was committed. Whatever they throw, the others are told too. */
public final class Outcomes {
    private final CommitListener listener;
    private final FaultHandler faults;

    /** Tells these. */
    public Outcomes(CommitListener listener, FaultHandler faults) {
        this.listener = listener;
        this.faults = faults;
    }

    /** Tells a unit that it is committed, or why not. */
    void tell(Append unit, @Nullable StoreException reason) {
        StoreException refusal = unit.failure();
        try {
            if (refusal != null) {
                unit.failed(refusal);
            } else if (reason != null) {
                unit.failed(reason);
            } else {
                unit.committed();
            }
        } catch (RuntimeException | Error e) {
            // The outermost frame of a sender's code: the next sender must be told too, and nobody may be told twice.
            faults.fault("committer", e);
        }
    }

    /** Tells what the last publication of an index showed. */
    void tellArrivals(QueueIndexer indexer) {
        for (int i = 0; i < indexer.arrivals(); i++) {
            try {
                listener.arrived(
                        indexer.arrivedQueue(i),
                        indexer.arrivedFrom(i),
                        indexer.arrivedQueue(i).maxOffset());
            } catch (RuntimeException | Error e) {
                faults.fault("committer", e); // as above
            }
        }
        for (int i = 0; i < indexer.drops(); i++) {
            try {
                listener.dropped(indexer.droppedQueue(i));
            } catch (RuntimeException | Error e) {
                faults.fault("committer", e); // as above
            }
        }
        indexer.clearArrivals();
    }
}
