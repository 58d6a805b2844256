package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;

/**
 * The messages of a queue.
 *
 * @param minOffset offset of the first message that is still there
 * @param maxOffset offset of the next message
 * @param lastUpdateTimestamp store time of the last message, milliseconds; 0 for an empty queue
 */
public record TopicOffset(long minOffset, long maxOffset, long lastUpdateTimestamp) implements JsonBody {
    /** Reads one value. */
    public static TopicOffset read(JsonReader in) {
        long minOffset = 0;
        long maxOffset = 0;
        long lastUpdateTimestamp = 0;
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "minOffset" -> minOffset = in.number();
                    case "maxOffset" -> maxOffset = in.number();
                    case "lastUpdateTimestamp" -> lastUpdateTimestamp = in.number();
                    default -> in.skip();
                }
            }
        }
        return new TopicOffset(minOffset, maxOffset, lastUpdateTimestamp);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.member("lastUpdateTimestamp", lastUpdateTimestamp);
        out.member("maxOffset", maxOffset).member("minOffset", minOffset);
        out.endObject();
    }
}
