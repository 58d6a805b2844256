package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks for users; the response body lists them, without their passwords. */
public final class ListUsers {
    /** Request code. */
    public static final int CODE = 3005;

    private static final FieldName FILTER = FieldName.of("filter");

    private ListUsers() {}

    /**
     * The request header.
     *
     * @param filter part of the name; empty for all
     */
    public record Request(String filter) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(FILTER, ""));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.optional(FILTER, filter);
        }
    }
}
