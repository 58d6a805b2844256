package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonWriter;
import java.util.Map;

/**
 * The offsets of all consumer groups.
 *
 * @param offsetTable queue offsets by queue id, by {@code topic@group}
 * @param dataVersion when they changed last
 */
public record ConsumerOffsetTable(Map<String, Map<Integer, Long>> offsetTable, DataVersion dataVersion)
        implements JsonBody {
    /** Copies the map. */
    public ConsumerOffsetTable {
        offsetTable = Ordered.copy(offsetTable);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.member("dataVersion", dataVersion);
        out.name("offsetTable").beginObject();
        offsetTable.forEach((name, queues) -> {
            out.name(name).beginObject();
            queues.forEach((queueId, offset) -> out.name(queueId).value(offset));
            out.endObject();
        });
        out.endObject();
        out.endObject();
    }
}
