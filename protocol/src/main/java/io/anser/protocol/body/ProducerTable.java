package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonWriter;
import java.util.List;
import java.util.Map;

/**
 * All producers of a broker.
 *
 * @param data producers by group
 */
public record ProducerTable(Map<String, List<ProducerInfo>> data) implements JsonBody {
    /** Copies the map. */
    public ProducerTable {
        data = Ordered.copy(data);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject().name("data").beginObject();
        data.forEach(out::members);
        out.endObject().endObject();
    }
}
