package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Tells a consumer, one-way from the broker, that the members of its group changed and queues should be shared out anew. */
public final class NotifyConsumerIdsChanged {
    /** Request code. */
    public static final int CODE = 40;

    private static final FieldName CONSUMER_GROUP = FieldName.of("consumerGroup");

    private NotifyConsumerIdsChanged() {}

    /**
     * The request header.
     *
     * @param consumerGroup name of the consumer group
     */
    public record Request(String consumerGroup) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(CONSUMER_GROUP));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(CONSUMER_GROUP, consumerGroup);
        }
    }
}
