package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How far a consumer group has come. On the wire each queue is a whole object as member name.
 *
 * @param offsetTable by queue
 * @param consumeTps messages per second that the group gets now
 */
public record ConsumeStats(Map<MessageQueue, ConsumedQueue> offsetTable, double consumeTps) implements JsonBody {
    /** Copies the map. */
    public ConsumeStats {
        offsetTable = Ordered.copy(offsetTable);
    }

    /** Reads a body. */
    public static ConsumeStats read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLUSTER_BYTES, ConsumeStats::read);
    }

    /** Reads one value. */
    public static ConsumeStats read(JsonReader in) {
        Map<MessageQueue, ConsumedQueue> offsets = new LinkedHashMap<>();
        double tps = 0;
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "offsetTable" -> readOffsets(in, offsets);
                    case "consumeTps" -> tps = in.decimal();
                    default -> in.skip();
                }
            }
        }
        return new ConsumeStats(offsets, tps);
    }

    private static void readOffsets(JsonReader in, Map<MessageQueue, ConsumedQueue> offsets) {
        if (in.beginObject()) {
            while (in.nextMember()) {
                MessageQueue queue = MessageQueue.parse(in.name());
                offsets.put(queue, ConsumedQueue.read(in));
            }
        }
    }

    /** Messages of all queues that the group is not done with. */
    public long lag() {
        return offsetTable.values().stream().mapToLong(ConsumedQueue::lag).sum();
    }

    /** Messages of all queues that members have got and not acknowledged. */
    public long inFlight() {
        return offsetTable.values().stream().mapToLong(ConsumedQueue::inFlight).sum();
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.member("consumeTps", consumeTps);
        out.name("offsetTable").beginObject();
        offsetTable.forEach((queue, offsets) -> {
            out.name(queue);
            offsets.writeTo(out);
        });
        out.endObject();
        out.endObject();
    }
}
