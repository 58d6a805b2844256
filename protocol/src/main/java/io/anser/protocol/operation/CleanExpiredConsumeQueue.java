package io.anser.protocol.operation;

/** Has a broker give up now what its queue index holds of expired messages. */
public final class CleanExpiredConsumeQueue {
    /** Request code. */
    public static final int CODE = 306;

    private CleanExpiredConsumeQueue() {}
}
