package io.anser.protocol.json;

/** A body that travels as JSON. Implementations are immutable. */
public interface JsonBody {
    /** Writes this body as one value. */
    void writeTo(JsonWriter out);

    /** The body as UTF-8, numbers as member names without quotes. */
    default byte[] write() {
        return write(JsonDialect.FASTJSON);
    }

    /** The body as UTF-8 in the given dialect. */
    default byte[] write(JsonDialect dialect) {
        JsonWriter out = new JsonWriter(dialect);
        writeTo(out);
        return out.toBytes();
    }
}
