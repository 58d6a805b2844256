package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a broker for one message by its log position; the response body is the message. */
public final class ViewMessageById {
    /** Request code. */
    public static final int CODE = 33;

    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName OFFSET = FieldName.of("offset");

    private ViewMessageById() {}

    /**
     * The request header.
     *
     * @param topic topic name, empty from older clients
     * @param offset log position of the message
     */
    public record Request(String topic, long offset) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(TOPIC, ""), header.number(OFFSET));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.optional(TOPIC, topic);
            out.field(OFFSET, offset);
        }
    }
}
