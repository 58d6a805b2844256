package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;

/** Stores several messages of one queue with one request; the body is a batch. The header is that of {@link SendMessageV2}. */
public final class SendBatchMessage {
    /** Request code. */
    public static final int CODE = 320;

    private SendBatchMessage() {}

    /** Reads the request from a header; it counts as a batch whatever field {@code m} says. */
    public static SendMessage.Request decode(CommandHeader header) {
        return SendMessageV2.Request.decode(header, true);
    }
}
