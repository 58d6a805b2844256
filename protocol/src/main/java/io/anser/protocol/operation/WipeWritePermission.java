package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Takes the write permission from all topics of a broker at the name server, so that producers leave it. */
public final class WipeWritePermission {
    /** Request code. */
    public static final int CODE = 205;

    private static final FieldName BROKER_NAME = FieldName.of("brokerName");
    private static final FieldName WIPE_TOPIC_COUNT = FieldName.of("wipeTopicCount");

    private WipeWritePermission() {}

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
     * @param wipeTopicCount topics that changed
     */
    public record Response(int wipeTopicCount) implements FieldSource {
        /** Reads the response from a header. */
        public static Response decode(CommandHeader header) {
            return new Response(header.integer(WIPE_TOPIC_COUNT));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(WIPE_TOPIC_COUNT, wipeTopicCount);
        }
    }
}
