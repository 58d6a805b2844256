package io.anser.protocol.operation;

/** Changes settings of a broker while it runs; the body is a text of lines name=value. */
public final class UpdateBrokerConfig {
    /** Request code. */
    public static final int CODE = 25;

    private UpdateBrokerConfig() {}
}
