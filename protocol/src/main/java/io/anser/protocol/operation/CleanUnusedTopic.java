package io.anser.protocol.operation;

/** Has a broker remove what it holds of topics that do not exist any more. */
public final class CleanUnusedTopic {
    /** Request code. */
    public static final int CODE = 316;

    private CleanUnusedTopic() {}
}
