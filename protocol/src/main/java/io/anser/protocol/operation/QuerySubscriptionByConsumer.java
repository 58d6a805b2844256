package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a broker what a consumer group wants of a topic; the response body tells. */
public final class QuerySubscriptionByConsumer {
    /** Request code. */
    public static final int CODE = 345;

    private static final FieldName GROUP = FieldName.of("group");
    private static final FieldName TOPIC = FieldName.of("topic");

    private QuerySubscriptionByConsumer() {}

    /**
     * The request header.
     *
     * @param group name of the consumer group
     * @param topic topic name
     */
    public record Request(String group, String topic) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(GROUP), header.string(TOPIC));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(GROUP, group);
            out.field(TOPIC, topic);
        }
    }
}
