package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Changes a user; the body says what. */
public final class UpdateUser {
    /** Request code. */
    public static final int CODE = 3002;

    private static final FieldName USERNAME = FieldName.of("username");

    private UpdateUser() {}

    /**
     * The request header.
     *
     * @param username name of the user
     */
    public record Request(String username) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(USERNAME, ""));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.optional(USERNAME, username);
        }
    }
}
