package io.anser.broker.send;

import io.anser.store.queue.QueueLog;
import java.nio.ByteBuffer;

/** The messages of one send, all for one queue: one, or those of a batch. */
interface SentMessages {
    /** Returns how many messages there are, at least 1. */
    int count();

    /** Returns the queue that all of them go to. */
    QueueLog queue();

    /** Returns the size of an encoded message. */
    int bytes(int item);

    /** Writes exactly {@link #bytes} bytes at the target's position. Log writer only. */
    void encode(int item, ByteBuffer target);
}
