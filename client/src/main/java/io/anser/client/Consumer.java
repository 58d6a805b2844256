package io.anser.client;

import io.anser.protocol.body.MessageQueue;
import java.util.Set;

/** A running member of a consumer group. Thread-safe. */
public interface Consumer extends AutoCloseable {
    /** The group's name. */
    String group();

    /** The queues this member reads at the moment, those of the group's retry topic included. A snapshot. */
    Set<MessageQueue> queues();

    /**
     * Stops: pulls no more, waits for handlers that are running (at most 10 seconds), commits what they have done, and
     * tells the brokers, so that other members take over at once. Messages received and not begun come again. Does nothing
     * the second time.
     */
    @Override
    void close();
}
