package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a broker which topics a consumer group has consumed; the response body lists them. */
public final class QueryTopicsByConsumer {
    /** Request code. */
    public static final int CODE = 343;

    private static final FieldName GROUP = FieldName.of("group");

    private QueryTopicsByConsumer() {}

    /**
     * The request header.
     *
     * @param group name of the consumer group
     */
    public record Request(String group) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(GROUP));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(GROUP, group);
        }
    }
}
