package io.anser.client;

import io.anser.protocol.body.MessageQueue;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Chooses the queue a message goes to: a pure decision over the route, what was tried, and a running number. */
final class QueueChoice {
    private QueueChoice() {}

    /**
     * The queue for an order key: always the same one while the queues stay the same. The formula is the one Apache's
     * producers use, so that both kinds keep one order.
     *
     * @param queues sorted by broker name and queue id; not empty
     */
    static MessageQueue forOrderKey(List<MessageQueue> queues, String orderKey) {
        return queues.get(Math.abs(orderKey.hashCode() % queues.size()));
    }

    /**
     * The next queue in turn that is at none of the brokers to avoid, if there is one.
     *
     * @param queues not empty
     * @param turn a number that grows by one for each message
     * @param avoided broker names
     */
    static Optional<MessageQueue> inTurn(List<MessageQueue> queues, int turn, Set<String> avoided) {
        int size = queues.size();
        int start = Math.floorMod(turn, size);
        for (int i = 0; i < size; i++) {
            MessageQueue queue = queues.get((start + i) % size);
            if (!avoided.contains(queue.brokerName())) {
                return Optional.of(queue);
            }
        }
        return Optional.empty();
    }
}
