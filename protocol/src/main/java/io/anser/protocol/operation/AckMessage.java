package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Tells a broker that a popped message is done with. */
public final class AckMessage {
    /** Request code. */
    public static final int CODE = 200051;

    private static final FieldName CONSUMER_GROUP = FieldName.of("consumerGroup");
    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName QUEUE_ID = FieldName.of("queueId");
    private static final FieldName EXTRA_INFO = FieldName.of("extraInfo");
    private static final FieldName OFFSET = FieldName.of("offset");

    private AckMessage() {}

    /**
     * The request header.
     *
     * @param consumerGroup name of the consumer group
     * @param topic the topic, or the retry topic that the message came from
     * @param queueId its queue
     * @param extraInfo the handle, see {@link PopHandle}
     * @param offset the message's queue offset
     */
    public record Request(String consumerGroup, String topic, int queueId, String extraInfo, long offset)
            implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(
                    header.string(CONSUMER_GROUP),
                    header.string(TOPIC),
                    header.integer(QUEUE_ID),
                    header.string(EXTRA_INFO),
                    header.number(OFFSET));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(CONSUMER_GROUP, consumerGroup);
            out.field(TOPIC, topic);
            out.field(QUEUE_ID, queueId);
            out.field(EXTRA_INFO, extraInfo);
            out.field(OFFSET, offset);
        }
    }
}
