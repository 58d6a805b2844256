package io.anser.broker.query;

import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.OffsetTable;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.QueueLeases;
import io.anser.broker.metadata.QueueLeases.Left;
import io.anser.protocol.body.MessageCopy.Progress;
import io.anser.protocol.body.MessageCopy.Stage;
import java.util.Optional;

/** How far a group is with one message, by its offset and what it has popped. Any thread. */
final class GroupProgress {
    private final BrokerState state;

    GroupProgress(BrokerState state) {
        this.state = state;
    }

    Progress of(QueueKey queue, long queueOffset) {
        long committed = state.offsets().committed(queue.group(), queue.topic(), queue.queueId());
        if (committed == OffsetTable.NONE) {
            return new Progress(queue.group(), Stage.AHEAD, 0, -1);
        }
        if (queueOffset < committed) {
            return new Progress(queue.group(), Stage.ACKNOWLEDGED, 0, 0);
        }
        Optional<QueueLeases> leases = state.leases().find(queue);
        if (leases.isPresent()) {
            Optional<Progress> popped = popped(queue.group(), leases.get(), queueOffset);
            if (popped.isPresent()) {
                return popped.get();
            }
        }
        return new Progress(queue.group(), Stage.AHEAD, 0, queueOffset - committed);
    }

    /** What was handed out and is not out any more is done with, but for what a pop left out. */
    private static Optional<Progress> popped(String group, QueueLeases leases, long queueOffset) {
        for (Left each : leases.left()) {
            int place = each.lease().place(queueOffset);
            if (place >= 0 && (each.left() & (1 << place)) != 0) {
                return Optional.of(new Progress(group, Stage.OUT, each.lease().visibleMillis(), 0));
            }
        }
        boolean handedOut = queueOffset < leases.frontier()
                && leases.holes().stream().noneMatch(hole -> hole.from() <= queueOffset && queueOffset < hole.until());
        return handedOut ? Optional.of(new Progress(group, Stage.ACKNOWLEDGED, 0, 0)) : Optional.empty();
    }
}
