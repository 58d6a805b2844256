package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Says whether a consumer group may read a topic, or asks for it. */
public final class UpdateAndGetGroupForbidden {
    /** Request code. */
    public static final int CODE = 353;

    private static final FieldName GROUP = FieldName.of("group");
    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName READABLE = FieldName.of("readable");

    private UpdateAndGetGroupForbidden() {}

    /**
     * The request header.
     *
     * @param group name of the consumer group
     * @param topic topic name
     * @param readable true or false to say it; empty to ask
     */
    public record Request(String group, String topic, String readable) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(GROUP), header.string(TOPIC), header.string(READABLE, ""));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(GROUP, group);
            out.field(TOPIC, topic);
            out.optional(READABLE, readable);
        }
    }
}
