package io.anser.protocol.operation;

/** Tells a broker, every 30 seconds, who a client is and what it produces and consumes; the request body is the heartbeat data, the header has no fields. */
public final class Heartbeat {
    /** Request code. */
    public static final int CODE = 34;

    private Heartbeat() {}
}
