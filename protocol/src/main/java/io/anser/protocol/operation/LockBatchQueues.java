package io.anser.protocol.operation;

/** Asks a broker to lock queues for one consumer of an orderly group; bodies name the queues wanted and the queues granted. */
public final class LockBatchQueues {
    /** Request code. */
    public static final int CODE = 41;

    private LockBatchQueues() {}
}
