package io.anser.protocol.operation;

/** The code that pull consumers use instead of {@link PullMessage}; header and bodies are the same. */
public final class LitePullMessage {
    /** Request code. */
    public static final int CODE = 361;

    private LitePullMessage() {}
}
