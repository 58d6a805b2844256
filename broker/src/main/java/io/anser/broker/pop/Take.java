package io.anser.broker.pop;

import io.anser.broker.metadata.LeaseChange.Popped;
import io.netty.buffer.ByteBuf;

/**
 * What a pop takes from one queue, before it is in the log.
 *
 * @param queue where from
 * @param change what the log is to hold of it
 * @param messages the messages
 * @param again whether the messages were out before and are delivered again
 */
record Take(PopQueue queue, Popped change, ByteBuf messages, boolean again) {
    int size() {
        return change.lease().size();
    }

    /** The messages will not be delivered: somebody else may have them. */
    void undo() {
        messages.release();
        queue.failed(this);
    }
}
