package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a broker for the queue offset that the next message of a queue will get. */
public final class GetMaxOffset {
    /** Request code. */
    public static final int CODE = 30;

    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName QUEUE_ID = FieldName.of("queueId");
    private static final FieldName COMMITTED = FieldName.of("committed");
    private static final FieldName OFFSET = FieldName.of("offset");

    private GetMaxOffset() {}

    /**
     * The request header.
     *
     * @param topic topic name
     * @param queueId queue of the topic, from 0
     * @param committed whether only committed messages count (default)
     */
    public record Request(String topic, int queueId, boolean committed) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(TOPIC), header.integer(QUEUE_ID), header.flag(COMMITTED, true));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(TOPIC, topic);
            out.field(QUEUE_ID, queueId);
            out.field(COMMITTED, committed);
        }
    }

    /**
     * The response header.
     *
     * @param offset next queue offset, 0 for a queue that never had a message
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
