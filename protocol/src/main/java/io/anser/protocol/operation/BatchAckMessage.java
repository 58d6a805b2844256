package io.anser.protocol.operation;

/** Tells a broker that popped messages of several queues are done with; the body names them. */
public final class BatchAckMessage {
    /** Request code. */
    public static final int CODE = 200151;

    private BatchAckMessage() {}
}
