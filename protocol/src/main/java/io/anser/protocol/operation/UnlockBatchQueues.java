package io.anser.protocol.operation;

/** Gives locks on queues back; the body names the queues. */
public final class UnlockBatchQueues {
    /** Request code. */
    public static final int CODE = 42;

    private UnlockBatchQueues() {}
}
