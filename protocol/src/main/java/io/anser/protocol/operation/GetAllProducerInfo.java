package io.anser.protocol.operation;

/** Asks a broker for all producers of all groups; the response body lists them. */
public final class GetAllProducerInfo {
    /** Request code. */
    public static final int CODE = 328;

    private GetAllProducerInfo() {}
}
