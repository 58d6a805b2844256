package io.anser.broker.offset;

import io.anser.store.MessageStore;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;

/** Judges whether a queue is young: it begins at 0 and its first message is still warm. Any thread. */
public final class QueueAge {
    /** A message this near to the end of the log counts as warm, in bytes: it is read without waiting for the device. */
    public static final long WARM_LOG_BYTES = 1L << 30;

    private final MessageStore store;

    /** Judges by the end of this store's log. */
    public QueueAge(MessageStore store) {
        this.store = store;
    }

    /** Says whether the queue is young; one without messages is as young as can be. */
    public boolean isYoung(QueueLog queue) {
        if (queue.minOffset() > 0) {
            return false;
        }
        QueueCursor cursor = new QueueCursor();
        return !cursor.seek(queue, 0) || store.committedPosition() - cursor.position() <= WARM_LOG_BYTES;
    }
}
