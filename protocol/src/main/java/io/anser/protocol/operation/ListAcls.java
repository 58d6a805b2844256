package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks for rules; the response body lists them by subject. */
public final class ListAcls {
    /** Request code. */
    public static final int CODE = 3010;

    private static final FieldName SUBJECT_FILTER = FieldName.of("subjectFilter");
    private static final FieldName RESOURCE_FILTER = FieldName.of("resourceFilter");

    private ListAcls() {}

    /**
     * The request header.
     *
     * @param subjectFilter part of the subject; empty for all
     * @param resourceFilter part of the resource; empty for all
     */
    public record Request(String subjectFilter, String resourceFilter) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(SUBJECT_FILTER, ""), header.string(RESOURCE_FILTER, ""));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.optional(SUBJECT_FILTER, subjectFilter);
            out.optional(RESOURCE_FILTER, resourceFilter);
        }
    }
}
