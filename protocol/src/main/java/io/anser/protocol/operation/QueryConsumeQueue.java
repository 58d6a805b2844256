package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a broker for entries of a queue of its index; the response body lists them. */
public final class QueryConsumeQueue {
    /** Request code. */
    public static final int CODE = 321;

    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName QUEUE_ID = FieldName.of("queueId");
    private static final FieldName INDEX = FieldName.of("index");
    private static final FieldName COUNT = FieldName.of("count");
    private static final FieldName CONSUMER_GROUP = FieldName.of("consumerGroup");

    private QueryConsumeQueue() {}

    /**
     * The request header.
     *
     * @param topic topic name
     * @param queueId queue of the topic, from 0
     * @param index queue offset of the first entry
     * @param count most entries to return
     * @param consumerGroup group whose filter is applied to the entries; empty for none
     */
    public record Request(String topic, int queueId, long index, int count, String consumerGroup)
            implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(
                    header.string(TOPIC),
                    header.integer(QUEUE_ID),
                    header.number(INDEX),
                    header.integer(COUNT),
                    header.string(CONSUMER_GROUP, ""));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(TOPIC, topic);
            out.field(QUEUE_ID, queueId);
            out.field(INDEX, index);
            out.field(COUNT, count);
            out.optional(CONSUMER_GROUP, consumerGroup);
        }
    }
}
