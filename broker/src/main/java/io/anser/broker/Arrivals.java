package io.anser.broker;

import io.anser.store.queue.QueueLog;
import io.anser.store.state.CommitListener;
import java.util.List;

/** Passes news of messages on to listeners that come into being after the store, on which they depend. */
final class Arrivals implements CommitListener {
    private volatile List<CommitListener> listeners = List.of();

    /** Passes what comes from now on to the listeners, in their order. */
    void passTo(List<CommitListener> next) {
        this.listeners = List.copyOf(next);
    }

    @Override
    public void dropped(QueueLog queue) {
        listeners.forEach(listener -> listener.dropped(queue));
    }

    @Override
    public void arrived(QueueLog queue, long fromQueueOffset, long untilQueueOffset) {
        listeners.forEach(listener -> listener.arrived(queue, fromQueueOffset, untilQueueOffset));
    }
}
