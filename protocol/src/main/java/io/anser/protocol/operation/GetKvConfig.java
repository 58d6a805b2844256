package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a name server for a value of its key-value tables. */
public final class GetKvConfig {
    /** Request code. */
    public static final int CODE = 101;

    private static final FieldName NAMESPACE = FieldName.of("namespace");
    private static final FieldName KEY = FieldName.of("key");
    private static final FieldName VALUE = FieldName.of("value");

    private GetKvConfig() {}

    /**
     * The request header.
     *
     * @param namespace name of the table
     * @param key key within the table
     */
    public record Request(String namespace, String key) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(NAMESPACE), header.string(KEY));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(NAMESPACE, namespace);
            out.field(KEY, key);
        }
    }

    /**
     * The response header.
     *
     * @param value the value
     */
    public record Response(String value) implements FieldSource {
        /** Reads the response from a header. */
        public static Response decode(CommandHeader header) {
            return new Response(header.string(VALUE, ""));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.optional(VALUE, value);
        }
    }
}
