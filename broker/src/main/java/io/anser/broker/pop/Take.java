package io.anser.broker.pop;

import io.anser.broker.metadata.LeaseChange;
import io.anser.broker.metadata.LeaseChange.Popped;
import io.anser.broker.metadata.LeaseChange.Settled;
import io.anser.broker.metadata.QueueLeases.Left;
import io.netty.buffer.ByteBuf;
import java.util.List;

/**
 * What a pop takes from one queue, before it is in the log.
 *
 * @param queue where from
 * @param change what is leased
 * @param messages the messages
 * @param before the leases that the messages were in if they are delivered again, else none
 */
record Take(PopQueue queue, Popped change, ByteBuf messages, List<Left> before) {
    /** What the log is to hold: where nothing is left of what was out, the end of its leases. */
    List<? extends LeaseChange> changes() {
        return before.isEmpty() || size() > 0
                ? List.of(change)
                : before.stream()
                        .map(each -> new Settled(queue.key(), each.id(), each.left()))
                        .toList();
    }

    int size() {
        return change.lease().size();
    }

    /** The messages will not be delivered: somebody else may have them. */
    void undo() {
        messages.release();
        queue.failed(this);
    }
}
