package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Deletes rules of one subject. */
public final class DeleteAcl {
    /** Request code. */
    public static final int CODE = 3008;

    private static final FieldName SUBJECT = FieldName.of("subject");
    private static final FieldName POLICY_TYPE = FieldName.of("policyType");
    private static final FieldName RESOURCE = FieldName.of("resource");

    private DeleteAcl() {}

    /**
     * The request header.
     *
     * @param subject whom the rules are for, such as User:alice
     * @param policyType kind of the rules: Custom or Default; empty for Custom
     * @param resource the one resource whose rules go; empty for all
     */
    public record Request(String subject, String policyType, String resource) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(SUBJECT, ""), header.string(POLICY_TYPE, ""), header.string(RESOURCE, ""));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.optional(SUBJECT, subject);
            out.optional(POLICY_TYPE, policyType);
            out.optional(RESOURCE, resource);
        }
    }
}
