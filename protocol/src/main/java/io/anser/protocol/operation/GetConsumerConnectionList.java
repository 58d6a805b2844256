package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a broker for the members of a consumer group; the response body lists them. */
public final class GetConsumerConnectionList {
    /** Request code. */
    public static final int CODE = 203;

    private static final FieldName CONSUMER_GROUP = FieldName.of("consumerGroup");

    private GetConsumerConnectionList() {}

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
