package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Takes a delayed message back before it is delivered. */
public final class RecallMessage {
    /** Request code. */
    public static final int CODE = 370;

    private static final FieldName PRODUCER_GROUP = FieldName.of("producerGroup");
    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName RECALL_HANDLE = FieldName.of("recallHandle");
    private static final FieldName MSG_ID = FieldName.of("msgId");

    private RecallMessage() {}

    /**
     * The request header.
     *
     * @param producerGroup name of the producer group, empty when unknown
     * @param topic the message's topic
     * @param recallHandle what the answer to the send told
     */
    public record Request(String producerGroup, String topic, String recallHandle) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(PRODUCER_GROUP, ""), header.string(TOPIC), header.string(RECALL_HANDLE));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.optional(PRODUCER_GROUP, producerGroup);
            out.field(TOPIC, topic);
            out.field(RECALL_HANDLE, recallHandle);
        }
    }

    /**
     * The response header: the message is never delivered.
     *
     * @param msgId unique id of the message
     */
    public record Response(String msgId) implements FieldSource {
        /** Reads the response from a header. */
        public static Response decode(CommandHeader header) {
            return new Response(header.string(MSG_ID));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(MSG_ID, msgId);
        }
    }
}
