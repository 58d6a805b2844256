package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Offsets by queue: where a group was put, or is to be put by its members. On the wire each queue is a whole object as
 * member name.
 *
 * @param offsetTable queue offsets by queue
 */
public record QueueOffsetTable(Map<MessageQueue, Long> offsetTable) implements JsonBody {
    /** Copies the map. */
    public QueueOffsetTable {
        offsetTable = Ordered.copy(offsetTable);
    }

    /** Reads a body. */
    public static QueueOffsetTable read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLUSTER_BYTES, QueueOffsetTable::read);
    }

    private static QueueOffsetTable read(JsonReader in) {
        Map<MessageQueue, Long> offsets = Map.of();
        if (in.beginObject()) {
            while (in.nextMember()) {
                if (in.name().equals("offsetTable")) {
                    offsets = readTable(in);
                } else {
                    in.skip();
                }
            }
        }
        return new QueueOffsetTable(offsets);
    }

    /** Reads the table alone, without the object around it. */
    static Map<MessageQueue, Long> readTable(JsonReader in) {
        Map<MessageQueue, Long> offsets = new LinkedHashMap<>();
        if (in.beginObject()) {
            while (in.nextMember()) {
                MessageQueue queue = MessageQueue.parse(in.name());
                offsets.put(queue, in.number());
            }
        }
        return offsets;
    }

    /** Writes the table alone as a member of that name. */
    static void writeTable(JsonWriter out, String name, Map<MessageQueue, Long> offsets) {
        out.name(name);
        writeTable(out, offsets);
    }

    /** Writes the table alone. */
    static void writeTable(JsonWriter out, Map<MessageQueue, Long> offsets) {
        out.beginObject();
        offsets.forEach((queue, offset) -> out.name(queue).value(offset));
        out.endObject();
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        writeTable(out, "offsetTable", offsetTable);
        out.endObject();
    }
}
