package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/**
 * Has a member of a consumer group consume one message again; sent to a broker, which passes it on to the member with the
 * message as body.
 */
public final class ConsumeMessageDirectly {
    /** Request code. */
    public static final int CODE = 309;

    private static final FieldName CONSUMER_GROUP = FieldName.of("consumerGroup");
    private static final FieldName CLIENT_ID = FieldName.of("clientId");
    private static final FieldName MSG_ID = FieldName.of("msgId");
    private static final FieldName BROKER_NAME = FieldName.of("brokerName");
    private static final FieldName TOPIC = FieldName.of("topic");

    private ConsumeMessageDirectly() {}

    /**
     * The request header.
     *
     * @param consumerGroup name of the consumer group
     * @param clientId the member
     * @param msgId offset message id of the message
     * @param brokerName the broker that holds it; empty when a tool asks
     * @param topic topic name; may be empty
     */
    public record Request(String consumerGroup, String clientId, String msgId, String brokerName, String topic)
            implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(
                    header.string(CONSUMER_GROUP),
                    header.string(CLIENT_ID, ""),
                    header.string(MSG_ID, ""),
                    header.string(BROKER_NAME, ""),
                    header.string(TOPIC, ""));
        }

        /** The same request as a broker of that name passes it on. */
        public Request from(String broker) {
            return new Request(consumerGroup, clientId, msgId, broker, topic);
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(CONSUMER_GROUP, consumerGroup);
            out.optional(CLIENT_ID, clientId);
            out.optional(MSG_ID, msgId);
            out.optional(BROKER_NAME, brokerName);
            out.optional(TOPIC, topic);
        }
    }
}
