package io.anser.protocol.operation;

/** {@link SendReplyMessage} with the one-letter names of {@link SendMessageV2}: what clients use. */
public final class SendReplyMessageV2 {
    /** Request code. */
    public static final int CODE = 325;

    private SendReplyMessageV2() {}
}
