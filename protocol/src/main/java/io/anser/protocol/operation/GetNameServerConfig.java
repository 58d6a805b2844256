package io.anser.protocol.operation;

/** Asks a name server for its settings; the response body is a text of lines name=value. */
public final class GetNameServerConfig {
    /** Request code. */
    public static final int CODE = 319;

    private GetNameServerConfig() {}
}
