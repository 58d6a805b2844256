package io.anser.broker;

import io.anser.store.queue.QueueLog;
import io.anser.store.state.CommitListener;

/** Passes news of messages on to a listener that comes into being after the store, on which it depends. */
final class Arrivals implements CommitListener {
    private volatile CommitListener listener = (queue, from, until) -> {};

    /** Passes what comes from now on to the listener. */
    void passTo(CommitListener next) {
        this.listener = next;
    }

    @Override
    public void dropped(QueueLog queue) {
        listener.dropped(queue);
    }

    @Override
    public void arrived(QueueLog queue, long fromQueueOffset, long untilQueueOffset) {
        listener.arrived(queue, fromQueueOffset, untilQueueOffset);
    }
}
