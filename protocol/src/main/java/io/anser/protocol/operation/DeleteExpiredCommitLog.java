package io.anser.protocol.operation;

/** Has a broker remove now the segments of its log whose messages have expired. */
public final class DeleteExpiredCommitLog {
    /** Request code. */
    public static final int CODE = 329;

    private DeleteExpiredCommitLog() {}
}
