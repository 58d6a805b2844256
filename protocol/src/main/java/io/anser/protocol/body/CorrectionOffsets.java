package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonWriter;
import java.util.Map;

/**
 * Offsets that groups have reached in a topic.
 *
 * @param correctionOffsets queue offsets by queue id
 */
public record CorrectionOffsets(Map<Integer, Long> correctionOffsets) implements JsonBody {
    /** Copies the map. */
    public CorrectionOffsets {
        correctionOffsets = Ordered.copy(correctionOffsets);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject().name("correctionOffsets").beginObject();
        correctionOffsets.forEach((queueId, offset) -> out.name(queueId).value(offset));
        out.endObject().endObject();
    }
}
