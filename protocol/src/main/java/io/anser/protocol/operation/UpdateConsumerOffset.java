package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Stores how far a consumer group has come in a queue; usually one-way. */
public final class UpdateConsumerOffset {
    /** Request code. */
    public static final int CODE = 15;

    private static final FieldName CONSUMER_GROUP = FieldName.of("consumerGroup");
    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName QUEUE_ID = FieldName.of("queueId");
    private static final FieldName COMMIT_OFFSET = FieldName.of("commitOffset");

    private UpdateConsumerOffset() {}

    /**
     * The request header.
     *
     * @param consumerGroup name of the consumer group
     * @param topic topic name
     * @param queueId queue of the topic, from 0
     * @param commitOffset queue offset of the next message to consume
     */
    public record Request(String consumerGroup, String topic, int queueId, long commitOffset) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(
                    header.string(CONSUMER_GROUP),
                    header.string(TOPIC),
                    header.integer(QUEUE_ID),
                    header.number(COMMIT_OFFSET));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(CONSUMER_GROUP, consumerGroup);
            out.field(TOPIC, topic);
            out.field(QUEUE_ID, queueId);
            out.field(COMMIT_OFFSET, commitOffset);
        }
    }
}
