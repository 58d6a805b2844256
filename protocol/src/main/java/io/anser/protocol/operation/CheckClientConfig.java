package io.anser.protocol.operation;

/** Asks a broker whether it accepts a consumer's subscription; the body holds it. */
public final class CheckClientConfig {
    /** Request code. */
    public static final int CODE = 46;

    private CheckClientConfig() {}
}
