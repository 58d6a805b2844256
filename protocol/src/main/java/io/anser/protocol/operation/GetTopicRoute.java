package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a name server where the queues of a topic are; the response body is a topic route. */
public final class GetTopicRoute {
    /** Request code. */
    public static final int CODE = 105;

    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName ACCEPT_STANDARD_JSON_ONLY = FieldName.of("acceptStandardJsonOnly");

    private GetTopicRoute() {}

    /**
     * The request header.
     *
     * @param topic topic name
     * @param acceptStandardJsonOnly whether the body must be standard JSON, with quoted keys
     */
    public record Request(String topic, boolean acceptStandardJsonOnly) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(TOPIC), header.flag(ACCEPT_STANDARD_JSON_ONLY, false));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(TOPIC, topic);
            out.field(ACCEPT_STANDARD_JSON_ONLY, acceptStandardJsonOnly);
        }
    }
}
