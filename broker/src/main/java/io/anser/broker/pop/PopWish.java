package io.anser.broker.pop;

import io.anser.broker.filter.Filters;
import io.anser.broker.filter.MessageFilter;
import io.anser.broker.filter.OthersFilter;
import io.anser.protocol.operation.PopMessage;

/**
 * What one pop asks for.
 *
 * @param queueId the queue, -1 for any
 * @param maxMessages most messages, at least 1
 * @param invisibleMillis how long they stay invisible
 * @param filter which messages
 * @param others which of the other messages to stop at: somebody else of the group wants them
 * @param order whether a queue may be out with one member only
 * @param attemptId names the pop; may be empty
 */
record PopWish(
        int queueId,
        int maxMessages,
        long invisibleMillis,
        MessageFilter filter,
        OthersFilter others,
        boolean order,
        String attemptId) {
    static final int ANY_QUEUE = -1;

    /**
     * Reads a request.
     *
     * @param others what other members of the group want
     * @throws io.anser.broker.filter.BadExpressionException if its expression cannot be understood
     */
    static PopWish of(PopMessage.Request request, Filters filters, OthersFilter others) {
        return new PopWish(
                request.queueId(),
                request.maxMsgNums(),
                request.invisibleTime(),
                filters.of(request.expType(), request.exp()),
                others,
                request.order(),
                request.attemptId());
    }

    boolean includes(int id) {
        return queueId == ANY_QUEUE || queueId == id;
    }
}
