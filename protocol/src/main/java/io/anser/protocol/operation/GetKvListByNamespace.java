package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a name server for a whole key-value table; the response body is the table. */
public final class GetKvListByNamespace {
    /** Request code. */
    public static final int CODE = 219;

    private static final FieldName NAMESPACE = FieldName.of("namespace");

    private GetKvListByNamespace() {}

    /**
     * The request header.
     *
     * @param namespace name of the table
     */
    public record Request(String namespace) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(NAMESPACE));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(NAMESPACE, namespace);
        }
    }
}
