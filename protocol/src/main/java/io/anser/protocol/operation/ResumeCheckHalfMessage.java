package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Has a broker take a transaction up again that it gave up. */
public final class ResumeCheckHalfMessage {
    /** Request code. */
    public static final int CODE = 323;

    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName MSG_ID = FieldName.of("msgId");

    private ResumeCheckHalfMessage() {}

    /**
     * The request header.
     *
     * @param topic the topic of the message, empty when unknown
     * @param msgId offset message id of the message that was given up
     */
    public record Request(String topic, String msgId) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(TOPIC, ""), header.string(MSG_ID, ""));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.optional(TOPIC, topic);
            out.optional(MSG_ID, msgId);
        }
    }
}
