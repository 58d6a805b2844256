package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a broker how far a consumer group has come in a queue. */
public final class QueryConsumerOffset {
    /** Request code. */
    public static final int CODE = 14;

    private static final FieldName CONSUMER_GROUP = FieldName.of("consumerGroup");
    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName QUEUE_ID = FieldName.of("queueId");
    private static final FieldName SET_ZERO_IF_NOT_FOUND = FieldName.of("setZeroIfNotFound");
    private static final FieldName OFFSET = FieldName.of("offset");

    private QueryConsumerOffset() {}

    /**
     * The request header.
     *
     * @param consumerGroup name of the consumer group
     * @param topic topic name
     * @param queueId queue of the topic, from 0
     * @param setZeroIfNotFound whether 0 may be answered for a young queue without an offset (default)
     */
    public record Request(String consumerGroup, String topic, int queueId, boolean setZeroIfNotFound)
            implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(
                    header.string(CONSUMER_GROUP),
                    header.string(TOPIC),
                    header.integer(QUEUE_ID),
                    header.flag(SET_ZERO_IF_NOT_FOUND, true));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(CONSUMER_GROUP, consumerGroup);
            out.field(TOPIC, topic);
            out.field(QUEUE_ID, queueId);
            out.field(SET_ZERO_IF_NOT_FOUND, setZeroIfNotFound);
        }
    }

    /**
     * The response header.
     *
     * @param offset queue offset of the next message to consume
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
