package io.anser.protocol.operation;

/** Asks a broker for the offsets of all consumer groups; the response body holds them. */
public final class GetAllConsumerOffset {
    /** Request code. */
    public static final int CODE = 43;

    private GetAllConsumerOffset() {}
}
