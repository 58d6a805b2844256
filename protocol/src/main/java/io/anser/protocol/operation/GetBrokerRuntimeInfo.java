package io.anser.protocol.operation;

/** Asks a broker for its figures; the response body is a key-value table. */
public final class GetBrokerRuntimeInfo {
    /** Request code. */
    public static final int CODE = 28;

    private GetBrokerRuntimeInfo() {}
}
