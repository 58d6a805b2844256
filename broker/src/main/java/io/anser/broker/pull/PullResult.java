package io.anser.broker.pull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * What a pull found.
 *
 * @param status which of the cases
 * @param nextOffset where to read on
 * @param minOffset first readable offset of the queue at the time
 * @param maxOffset offset after the queue's last readable message at the time
 * @param firstPosition log position of the first message, {@link #NOWHERE} unless found
 * @param count how many messages
 * @param messages the messages, one after another; empty unless found. Whoever holds the result releases it
 */
record PullResult(
        Status status,
        long nextOffset,
        long minOffset,
        long maxOffset,
        long firstPosition,
        int count,
        ByteBuf messages) {
    static final long NOWHERE = -1;

    /** The cases. */
    enum Status {
        /** At least one message. */
        FOUND,
        /** The offset is the queue's end: nothing new yet. */
        AT_END,
        /** Messages were there, none of those looked at is wanted. */
        NONE_MATCHED,
        /** The message at the next offset is not wanted here, but by another member of the group: nobody may pass it. */
        LEFT_TO_OTHERS,
        /** The message at the next offset may have to be waited for: to be read on a worker from there. */
        COLD,
        /** The offset is below or beyond the queue; the next offset is the nearest that is not. */
        OUT_OF_RANGE,
        /** The group was put to another offset, the next one, and has to read there. */
        MOVED,
        /** Nothing new, and the client is to ask again at once: the broker's role has changed. */
        ASK_AGAIN,
        /** The queue's topic was deleted. */
        DELETED
    }

    /** A result without messages. */
    static PullResult none(Status status, long nextOffset, long minOffset, long maxOffset) {
        return new PullResult(status, nextOffset, minOffset, maxOffset, NOWHERE, 0, Unpooled.EMPTY_BUFFER);
    }
}
