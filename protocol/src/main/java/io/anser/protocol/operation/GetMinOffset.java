package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a broker for the first queue offset of a queue that is still there. */
public final class GetMinOffset {
    /** Request code. */
    public static final int CODE = 31;

    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName QUEUE_ID = FieldName.of("queueId");
    private static final FieldName OFFSET = FieldName.of("offset");

    private GetMinOffset() {}

    /**
     * The request header.
     *
     * @param topic topic name
     * @param queueId queue of the topic, from 0
     */
    public record Request(String topic, int queueId) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(TOPIC), header.integer(QUEUE_ID));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(TOPIC, topic);
            out.field(QUEUE_ID, queueId);
        }
    }

    /**
     * The response header.
     *
     * @param offset first queue offset; equals the next one when the queue is empty
     */
    public record Response(long offset) implements FieldSource {
        /** Reads the response from a header. */
        public static Response decode(CommandHeader header) {
            return new Response(header.number(OFFSET));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(OFFSET, offset);
        }
    }
}
