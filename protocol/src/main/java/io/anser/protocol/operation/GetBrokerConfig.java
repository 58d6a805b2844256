package io.anser.protocol.operation;

/** Asks a broker for its settings; the response body is a text of lines name=value. */
public final class GetBrokerConfig {
    /** Request code. */
    public static final int CODE = 26;

    private GetBrokerConfig() {}
}
