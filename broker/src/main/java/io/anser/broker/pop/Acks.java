package io.anser.broker.pop;

import io.anser.broker.metadata.LeaseId;
import io.anser.broker.metadata.LeaseTable;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.QueueLeases;
import io.anser.broker.metadata.QueueLeases.Claim;
import io.anser.broker.metadata.QueueLeases.Left;
import io.anser.broker.pop.AckCommits.Ack;
import io.anser.store.file.StoreException;
import io.anser.system.Clock;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Decides what becomes of acknowledgements. Any thread. */
final class Acks {
    private final LeaseTable table;
    private final Consumer<QueueKey> settled;
    private final AckCommits commits;
    private final Clock clock;

    /**
     * Decides on the leases of a table.
     *
     * @param settled told of each queue of which fewer messages are out
     */
    Acks(LeaseTable table, Consumer<QueueKey> settled, AckCommits commits, Clock clock) {
        this.table = table;
        this.settled = settled;
        this.commits = commits;
        this.clock = clock;
    }

    /**
     * Messages that a client is done with.
     *
     * @param queue the queue that they are stored in, as the group sees it
     * @param lease which lease the client holds, or held
     * @param overMillis wall time at which the lease ends by the handle
     * @param offsets the messages, at least one
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Done(QueueKey queue, LeaseId lease, long overMillis, long[] offsets) {}

    /** What happened to an acknowledgement at once. */
    enum Decision {
        /** It is on its way, and the outcome will be told. */
        TAKEN,
        /** What the lease still has is on its way, and the outcome will be told; others of the messages have another handle. */
        TAKEN_IN_PART,
        /** It was acknowledged before. */
        REPEATED,
        /** The lease is over: the messages are on their way to somebody else, or have another handle. */
        TOO_LATE
    }

    /**
     * Takes an acknowledgement.
     *
     * @param loop the event loop that brought it
     * @param outcome told once if the decision is that it was taken
     */
    Decision ack(Done done, Executor loop, Outcome outcome) {
        Optional<QueueLeases> leases = table.find(done.queue());
        Optional<Left> left = leases.flatMap(found -> found.find(done.lease()));
        if (left.isEmpty()) {
            return past(done);
        }
        int mask = mask(left.get(), done.offsets());
        if (mask == 0) {
            return past(done);
        }
        Claim claim = leases.get().claimAck(done.lease(), mask);
        if (claim != Claim.MARKED) {
            return claim == Claim.GONE ? past(done) : Decision.TOO_LATE;
        }
        boolean all = Arrays.stream(done.offsets())
                .allMatch(offset -> isAmong(left.get(), offset) || !leases.get().isOut(offset));
        commits.add(new Ack(done.queue(), leases.get(), done.lease(), mask, telling(done.queue(), outcome)), loop);
        return all ? Decision.TAKEN : Decision.TAKEN_IN_PART;
    }

    /** The bits of those messages that the lease still has. */
    private static int mask(Left left, long[] offsets) {
        int mask = 0;
        for (long offset : offsets) {
            if (isAmong(left, offset)) {
                mask |= 1 << left.lease().place(offset);
            }
        }
        return mask;
    }

    private static boolean isAmong(Left left, long offset) {
        int place = left.lease().place(offset);
        return place >= 0 && (left.left() & (1 << place)) != 0;
    }

    /** What is out under no handle was acknowledged, if its time is not over: nothing else ends a lease before. */
    private Decision past(Done done) {
        boolean over = done.overMillis() <= clock.wallMillis();
        boolean acknowledged = table.find(done.queue())
                .filter(leases -> Arrays.stream(done.offsets())
                        .allMatch(offset -> offset < leases.frontier() && !leases.isOut(offset)))
                .isPresent();
        return (acknowledged && !over) ? Decision.REPEATED : Decision.TOO_LATE;
    }

    private Outcome telling(QueueKey queue, Outcome outcome) {
        return new Outcome() {
            @Override
            public void committed() {
                try {
                    outcome.committed();
                } finally {
                    settled.accept(queue);
                }
            }

            @Override
            public void failed(StoreException reason) {
                outcome.failed(reason);
            }
        };
    }
}
