package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.Map;

/**
 * Names and values: a namespace of a name server's configuration, or a broker's figures.
 *
 * @param table in the order in which it is written
 */
public record KvTable(Map<String, String> table) implements JsonBody {
    /** Copies the map. */
    public KvTable {
        table = Ordered.copy(table);
    }

    /** Reads a body. */
    public static KvTable read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLUSTER_BYTES, KvTable::read);
    }

    /** Reads one value. */
    public static KvTable read(JsonReader in) {
        Map<String, String> table = Map.of();
        if (in.beginObject()) {
            while (in.nextMember()) {
                if (in.name().equals("table")) {
                    table = in.map(JsonReader::string);
                } else {
                    in.skip();
                }
            }
        }
        return new KvTable(table);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject().strings("table", table).endObject();
    }
}
