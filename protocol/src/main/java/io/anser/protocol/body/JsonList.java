package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonWriter;
import java.util.List;

/**
 * A body that is an array of values.
 *
 * @param values in the order in which they are written
 */
public record JsonList(List<? extends JsonBody> values) implements JsonBody {
    /** Copies the list. */
    public JsonList {
        values = List.copyOf(values);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginArray();
        values.forEach(value -> value.writeTo(out));
        out.endArray();
    }
}
