package io.anser.store.log;

import io.anser.store.queue.QueueLog;

/** Says which messages are still taken when the device is so full that most are refused. Asked by the log writer. */
@FunctionalInterface
public interface AppendPolicy {
    /** Every message is refused at the limit. */
    AppendPolicy BLOCK = queue -> false;

    /**
     * Whether messages of a queue may fill the margin beyond the limit, because the oldest ones make room for them. Must
     * answer at once, from memory.
     */
    boolean mayUseMargin(QueueLog queue);
}
