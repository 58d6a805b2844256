package io.anser.protocol.operation;

/** Asks a broker about its replicas; the response body tells. */
public final class GetBrokerHaStatus {
    /** Request code. */
    public static final int CODE = 907;

    private GetBrokerHaStatus() {}
}
