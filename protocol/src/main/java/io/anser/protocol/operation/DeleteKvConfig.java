package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Deletes a value from a key-value table of a name server. */
public final class DeleteKvConfig {
    /** Request code. */
    public static final int CODE = 102;

    private static final FieldName NAMESPACE = FieldName.of("namespace");
    private static final FieldName KEY = FieldName.of("key");

    private DeleteKvConfig() {}

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
}
