package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/**
 * Has the leader of a replicated group give the lead to another member; answered when that one leads. The body of the answer
 * is empty, its remark says who leads. An operation of ours.
 */
public final class MoveLead {
    /** Request code. */
    public static final int CODE = 30_121;

    private static final FieldName TO = FieldName.of("to");

    private MoveLead() {}

    /**
     * The request header.
     *
     * @param to {@code host:port} of the member that is to lead; empty for the one that is furthest
     */
    public record Request(String to) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(TO, ""));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(TO, to);
        }
    }
}
