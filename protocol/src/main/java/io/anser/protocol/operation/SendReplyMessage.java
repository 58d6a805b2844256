package io.anser.protocol.operation;

/**
 * Sends the reply to a request that came as a message; the broker passes it on to the requester at once. Header, body and
 * response are those of {@link SendMessage}. {@link SendReplyMessageV2} is the same with one-letter names.
 */
public final class SendReplyMessage {
    /** Request code. */
    public static final int CODE = 324;

    private SendReplyMessage() {}
}
