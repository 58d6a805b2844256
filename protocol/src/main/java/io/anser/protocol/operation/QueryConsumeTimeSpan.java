package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a broker from when to when the messages of a topic are, and how far in time a group has come. */
public final class QueryConsumeTimeSpan {
    /** Request code. */
    public static final int CODE = 303;

    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName GROUP = FieldName.of("group");

    private QueryConsumeTimeSpan() {}

    /**
     * The request header.
     *
     * @param topic topic name
     * @param group name of the consumer group
     */
    public record Request(String topic, String group) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(TOPIC), header.string(GROUP));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(TOPIC, topic);
            out.field(GROUP, group);
        }
    }
}
