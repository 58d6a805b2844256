package io.anser.store.state;

import io.anser.store.queue.QueueLog;

/** Told of new readable messages, so that waiting pulls need no polling. Called on the committing thread; must not block. */
@FunctionalInterface
public interface CommitListener {
    /**
     * Messages have become readable: {@code queue.maxOffset()} is at least {@code untilQueueOffset}. Called once per queue
     * and commit, after the senders were told. Not called during recovery.
     *
     * @param fromQueueOffset the first new one
     * @param untilQueueOffset the one after the last new one
     */
    void arrived(QueueLog queue, long fromQueueOffset, long untilQueueOffset);

    /**
     * The topic of a queue was dropped: whoever waits for its messages waits in vain. Called once for each queue, after the
     * senders were told. Not called during recovery.
     */
    default void dropped(QueueLog queue) {}
}
