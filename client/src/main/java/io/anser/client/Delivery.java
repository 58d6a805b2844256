package io.anser.client;

import java.util.List;

/**
 * Brings the messages of a queue to the application's handler and sees each one through: acknowledged, sent back, or tried
 * again. Thread-safe.
 */
interface Delivery {
    /** Takes over messages that were received, in the order of the queue. Must not block. */
    void deliver(QueueFeed feed, List<ReceivedMessage> messages);

    /** Runs an action once no handler works on a queue that was stopped any more: at once, or on the handler's thread. */
    void whenQuiet(Runnable action);
}
