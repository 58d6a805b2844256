package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a broker when the oldest message of a queue was stored. */
public final class GetEarliestMessageStoreTime {
    /** Request code. */
    public static final int CODE = 32;

    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName QUEUE_ID = FieldName.of("queueId");
    private static final FieldName TIMESTAMP = FieldName.of("timestamp");

    private GetEarliestMessageStoreTime() {}

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
     * @param timestamp store time in milliseconds since 1970; -1 when the queue is empty
     */
    public record Response(long timestamp) implements FieldSource {
        /** Reads the response from a header. */
        public static Response decode(CommandHeader header) {
            return new Response(header.number(TIMESTAMP));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(TIMESTAMP, timestamp);
        }
    }
}
