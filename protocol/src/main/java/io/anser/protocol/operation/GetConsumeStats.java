package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a broker how far a consumer group has come; the response body tells for each queue. */
public final class GetConsumeStats {
    /** Request code. */
    public static final int CODE = 208;

    private static final FieldName CONSUMER_GROUP = FieldName.of("consumerGroup");
    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName TOPIC_LIST = FieldName.of("topicList");

    private GetConsumeStats() {}

    /**
     * The request header.
     *
     * @param consumerGroup name of the consumer group
     * @param topic one topic; empty for all that the group consumes
     * @param topicList topics separated by semicolons; empty for all
     */
    public record Request(String consumerGroup, String topic, String topicList) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(CONSUMER_GROUP), header.string(TOPIC, ""), header.string(TOPIC_LIST, ""));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(CONSUMER_GROUP, consumerGroup);
            out.optional(TOPIC, topic);
            out.optional(TOPIC_LIST, topicList);
        }
    }
}
