package io.anser.broker.pop;

import io.anser.broker.metadata.Change.OffsetCommitted;
import io.anser.broker.metadata.OffsetTable;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.StartingPoints;
import io.anser.protocol.operation.PopMessage;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.QueueOffsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Gives a group its place in a queue before it pops anything from it: the place is committed, so that a restart between the
 * first pop and the first message neither skips messages nor delivers all of them.
 */
final class PopStart {
    private final Proposals proposals;
    private final StartingPoints starts;

    PopStart(Proposals proposals, StartingPoints starts) {
        this.proposals = proposals;
        this.starts = starts;
    }

    /**
     * Commits a place in each queue, unless the group has one by then.
     *
     * @param queues at least one
     * @param outcome told once; any thread. DROPPED if the topic was deleted meanwhile
     */
    void start(List<PopQueue> queues, int initMode, Outcome outcome) {
        Outcome each = new All(queues.size(), outcome);
        for (PopQueue queue : queues) {
            OffsetCommitted place = new OffsetCommitted(queue.key(), place(queue, initMode));
            // Behind the deletion of the topic it would be a place in the next one of that name, whose messages it
            // skips.
            proposals.proposeOnce(place, queue::isStarted, () -> QueueOffsets.isClosed(queue.log()), each);
        }
    }

    private long place(PopQueue queue, int initMode) {
        QueueLog log = queue.log();
        if (initMode != PopMessage.INIT_MAX) {
            return log.minOffset();
        }
        long start = starts.offset(queue.key(), log);
        return start == OffsetTable.NONE ? log.maxOffset() : Math.max(start, log.minOffset());
    }

    /** The outcome of all of several changes. */
    private static final class All implements Outcome {
        private final AtomicInteger open;
        private final Outcome outcome;
        private final AtomicReference<@Nullable StoreException> failure = new AtomicReference<>();

        All(int count, Outcome outcome) {
            this.open = new AtomicInteger(count);
            this.outcome = outcome;
        }

        @Override
        public void committed() {
            if (open.decrementAndGet() == 0) {
                StoreException reason = failure.get();
                if (reason == null) {
                    outcome.committed();
                } else {
                    outcome.failed(reason);
                }
            }
        }

        @Override
        public void failed(StoreException reason) {
            failure.compareAndSet(null, reason);
            committed();
        }
    }
}
