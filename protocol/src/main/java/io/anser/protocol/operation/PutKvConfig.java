package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Sets a value in a key-value table of a name server. */
public final class PutKvConfig {
    /** Request code. */
    public static final int CODE = 100;

    private static final FieldName NAMESPACE = FieldName.of("namespace");
    private static final FieldName KEY = FieldName.of("key");
    private static final FieldName VALUE = FieldName.of("value");

    private PutKvConfig() {}

    /**
     * The request header.
     *
     * @param namespace name of the table
     * @param key key within the table
     * @param value new value
     */
    public record Request(String namespace, String key, String value) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(NAMESPACE), header.string(KEY), header.string(VALUE));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(NAMESPACE, namespace);
            out.field(KEY, key);
            out.field(VALUE, value);
        }
    }
}
