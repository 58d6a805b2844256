package io.anser.broker.pull;

import io.netty.buffer.ByteBuf;

/**
 * What a pull found.
 *
 * @param status which of the four cases
 * @param nextOffset where to read on
 * @param minOffset first readable offset of the queue at the time
 * @param maxOffset offset after the queue's last readable message at the time
 * @param messages the messages, one after another; empty unless found. Whoever holds the result releases it
 */
record PullResult(Status status, long nextOffset, long minOffset, long maxOffset, ByteBuf messages) {
    /** The four cases. */
    enum Status {
        /** At least one message. */
        FOUND,
        /** The offset is the queue's end: nothing new yet. */
        AT_END,
        /** Messages were there, none of those looked at is wanted. */
        NONE_MATCHED,
        /** The offset is below or beyond the queue; the next offset is the nearest that is not. */
        OUT_OF_RANGE
    }
}
