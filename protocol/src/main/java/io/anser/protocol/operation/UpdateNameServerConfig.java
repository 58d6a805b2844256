package io.anser.protocol.operation;

/** Changes settings of a name server while it runs; the body is a text of lines name=value. */
public final class UpdateNameServerConfig {
    /** Request code. */
    public static final int CODE = 318;

    private UpdateNameServerConfig() {}
}
