package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Tells a broker that a client leaves a group at once instead of falling silent. */
public final class UnregisterClient {
    /** Request code. */
    public static final int CODE = 35;

    private static final FieldName CLIENT_ID = FieldName.of("clientID");
    private static final FieldName PRODUCER_GROUP = FieldName.of("producerGroup");
    private static final FieldName CONSUMER_GROUP = FieldName.of("consumerGroup");

    private UnregisterClient() {}

    /**
     * The request header.
     *
     * @param clientID the client's id
     * @param producerGroup producer group to leave; empty when none
     * @param consumerGroup consumer group to leave; empty when none
     */
    public record Request(String clientID, String producerGroup, String consumerGroup) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(
                    header.string(CLIENT_ID), header.string(PRODUCER_GROUP, ""), header.string(CONSUMER_GROUP, ""));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(CLIENT_ID, clientID);
            out.optional(PRODUCER_GROUP, producerGroup);
            out.optional(CONSUMER_GROUP, consumerGroup);
        }
    }
}
