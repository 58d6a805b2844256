package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Gives the write permission back to all topics of a broker at the name server. */
public final class AddWritePermission {
    /** Request code. */
    public static final int CODE = 327;

    private static final FieldName BROKER_NAME = FieldName.of("brokerName");
    private static final FieldName ADD_TOPIC_COUNT = FieldName.of("addTopicCount");

    private AddWritePermission() {}

    /**
     * The request header.
     *
     * @param brokerName name of the broker group
     */
    public record Request(String brokerName) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(BROKER_NAME));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(BROKER_NAME, brokerName);
        }
    }

    /**
     * The response header.
     *
     * @param addTopicCount topics that changed
     */
    public record Response(int addTopicCount) implements FieldSource {
        /** Reads the response from a header. */
        public static Response decode(CommandHeader header) {
            return new Response(header.integer(ADD_TOPIC_COUNT));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(ADD_TOPIC_COUNT, addTopicCount);
        }
    }
}
