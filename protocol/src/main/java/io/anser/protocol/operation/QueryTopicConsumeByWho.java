package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a broker which groups consume a topic; the response body is a list of groups. */
public final class QueryTopicConsumeByWho {
    /** Request code. */
    public static final int CODE = 300;

    private static final FieldName TOPIC = FieldName.of("topic");

    private QueryTopicConsumeByWho() {}

    /**
     * The request header.
     *
     * @param topic topic name
     */
    public record Request(String topic) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(TOPIC));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(TOPIC, topic);
        }
    }
}
