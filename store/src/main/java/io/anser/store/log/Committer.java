package io.anser.store.log;

import io.anser.store.file.StoreException;
import io.anser.store.state.CommitListener;
import io.anser.system.FaultHandler;
import org.jspecify.annotations.Nullable;

/**
 * Makes written batches committed: applies them, shows them to readers, tells their senders, then those who wait for
 * messages, strictly in log order. Owned by the committing thread.
 */
public final class Committer {
    private final WrittenBatches batches;
    private final PendingAppends pending;
    private final Watermarks marks;
    private final Fence fence;
    private final Applier applier;
    private final CommitObservers observers;
    private final Outcomes outcomes;
    private final LogFeed feed;
    private LogPoint last;

    /**
     * A committer of the batches that the log writer hands over.
     *
     * @param from up to where everything is applied already
     * @param feed says what waits for replicas
     */
    public Committer(
            LogPoint from,
            WrittenBatches batches,
            PendingAppends pending,
            Watermarks marks,
            Fence fence,
            Applier applier,
            CommitListener listener,
            CommitObservers observers,
            FaultHandler faults,
            LogFeed feed) {
        this.last = from;
        this.batches = batches;
        this.pending = pending;
        this.marks = marks;
        this.fence = fence;
        this.applier = applier;
        this.observers = observers;
        this.outcomes = new Outcomes(listener, faults);
        this.feed = feed;
    }

    /** Up to where everything is applied. Committing thread, or whoever has taken its place at a close. */
    public LogPoint applied() {
        return last;
    }

    /** Whether {@link #commit} has something to do beside the batches. */
    boolean hasWork() {
        WrittenBatch oldest = batches.oldest();
        return (oldest != null && !waitsForReplicas(oldest)) || isPointWanted();
    }

    private boolean waitsForReplicas(WrittenBatch batch) {
        return batch.end().position() > feed.commitLimit() && feed.abandoned() == null && fence.reason() == null;
    }

    /** Behind a closed fence the state may hold half a batch: no one may save it. */
    private boolean isPointWanted() {
        return fence.reason() == null && observers.points().wantsPoint();
    }

    /**
     * Commits the batches that end at or before a position; when the fence is closed, fails all of them.
     *
     * @return whether there was any
     */
    boolean commit(long until) {
        if (isPointWanted()) {
            observers.points().applied(last);
        }
        boolean worked = false;
        WrittenBatch batch = batches.oldest();
        while (batch != null
                && (batch.end().position() <= until || fence.reason() != null)
                && !waitsForReplicas(batch)) {
            finish(batch);
            worked = true;
            batch = batches.oldest();
        }
        return worked;
    }

    private void finish(WrittenBatch batch) {
        StoreException fenced = whyNot(batch);
        if (fenced == null) {
            apply(batch);
            fenced = fence.reason();
        }
        if (fenced == null) {
            marks.committed(batch.end().position());
            applier.publish();
        }
        for (int i = 0; i < batch.count(); i++) {
            outcomes.tell(batch.unit(i), fenced);
        }
        if (fenced == null) {
            feed.committed(batch);
            outcomes.tellArrivals(applier.indexer());
            last = batch.end();
            observers.batches().committed(batch.notes(), last);
        }
        pending.release(batch.count(), batch.bytes());
        batches.handBack(batch);
        if (fenced == null) {
            observers.points().applied(last);
        }
    }

    /** Why a batch is not committed, nor those behind it; null when it is. */
    private @Nullable StoreException whyNot(WrittenBatch batch) {
        StoreException reason = fence.reason();
        if (reason == null && batch.end().position() > feed.commitLimit()) {
            reason = feed.abandoned();
        }
        return reason;
    }

    private void apply(WrittenBatch batch) {
        try {
            for (int i = 0; i < batch.count(); i++) {
                Append unit = batch.unit(i);
                if (unit.failure() == null) {
                    applier.apply(unit);
                }
            }
        } catch (RuntimeException e) {
            // Half a batch is applied and readers have seen none of it. State and log differ now: only a restart, which
            // applies the log again, can mend that.
            fence.close(
                    "committer",
                    "applying the records before position=" + batch.end().position() + " failed",
                    e);
        }
    }
}
