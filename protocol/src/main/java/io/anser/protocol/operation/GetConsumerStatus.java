package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a broker to ask the members of a group where they are in the queues of a topic. */
public final class GetConsumerStatus {
    /** Request code. */
    public static final int CODE = 223;

    /** Code of the same question when the broker asks a member. */
    public static final int CLIENT_CODE = 221;

    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName GROUP = FieldName.of("group");
    private static final FieldName CLIENT_ADDR = FieldName.of("clientAddr");

    private GetConsumerStatus() {}

    /**
     * The request header.
     *
     * @param topic topic name
     * @param group name of the consumer group
     * @param clientAddr client id of the one member to ask; empty for all
     */
    public record Request(String topic, String group, String clientAddr) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(TOPIC), header.string(GROUP), header.string(CLIENT_ADDR, ""));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(TOPIC, topic);
            out.field(GROUP, group);
            out.optional(CLIENT_ADDR, clientAddr);
        }
    }
}
