package io.anser.broker.offset;

import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.QueueKey;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Puts groups to other offsets and has their members go there. Any thread. */
final class OffsetMoves {
    private final OffsetCommits commits;
    private final GroupAtWork members;

    /** Where a group goes in one queue: an offset that lies in it. */
    record Place(QueueLog queue, long offset) {}

    OffsetMoves(OffsetCommits commits, GroupAtWork members) {
        this.commits = commits;
        this.members = members;
    }

    /**
     * Moves a group.
     *
     * @param places at least one, all of the same group
     * @param outcome told once when all of them hold, or when one of them could not be had
     */
    void move(Map<QueueKey, Place> places, Outcome outcome) {
        AtomicInteger open = new AtomicInteger(places.size());
        AtomicReference<@Nullable StoreException> failure = new AtomicReference<>();
        places.forEach((queue, place) -> {
            Outcome each = new Outcome() {
                @Override
                public void committed() {
                    try {
                        members.moved(place.queue());
                    } finally {
                        ended();
                    }
                }

                @Override
                public void failed(StoreException reason) {
                    failure.compareAndSet(null, reason);
                    ended();
                }

                private void ended() {
                    if (open.decrementAndGet() == 0) {
                        tell(outcome, failure.get());
                    }
                }
            };
            boolean membersMustGo = members.isOnline(queue.group()) && !members.pops(queue.group(), queue.topic());
            if (!commits.reset(queue, place.queue(), place.offset(), membersMustGo, each)) {
                each.failed(new StoreException(
                        StoreException.Kind.BUSY, "too many offset commits are waiting for the log, try again"));
            }
        });
    }

    private static void tell(Outcome outcome, @Nullable StoreException failure) {
        if (failure == null) {
            outcome.committed();
        } else {
            outcome.failed(failure);
        }
    }
}
