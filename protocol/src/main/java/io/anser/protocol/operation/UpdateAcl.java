package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Replaces rules of one subject; the body lists them. */
public final class UpdateAcl {
    /** Request code. */
    public static final int CODE = 3007;

    private static final FieldName SUBJECT = FieldName.of("subject");

    private UpdateAcl() {}

    /**
     * The request header.
     *
     * @param subject whom the rules are for, such as User:alice
     */
    public record Request(String subject) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(SUBJECT, ""));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.optional(SUBJECT, subject);
        }
    }
}
