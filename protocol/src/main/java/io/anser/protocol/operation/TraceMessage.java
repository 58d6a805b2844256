package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/**
 * Asks a broker what became of a message: every copy that it has, what each group did with it, and what clients reported. The
 * response body is a {@link io.anser.protocol.body.MessageTrail}. An operation of ours, which no Apache client knows.
 */
public final class TraceMessage {
    /** Request code; below 32768, because a binary header has two bytes for it, and far from Apache's. */
    public static final int CODE = 30_001;

    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName ID = FieldName.of("id");

    private TraceMessage() {}

    /**
     * The request header.
     *
     * @param topic the topic that the message was sent to; may be empty with an offset id, which tells
     * @param id its unique id, its offset id, or one of its keys
     */
    public record Request(String topic, String id) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(TOPIC, ""), header.string(ID));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(TOPIC, topic);
            out.field(ID, id);
        }
    }
}
