package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The queues of a topic on one broker. On the wire each queue is a whole object as member name.
 *
 * @param offsetTable messages by queue
 * @param topicPutTps messages per second that arrive now
 */
public record TopicStatsTable(Map<MessageQueue, TopicOffset> offsetTable, double topicPutTps) implements JsonBody {
    /** Copies the map. */
    public TopicStatsTable {
        offsetTable = Ordered.copy(offsetTable);
    }

    /** Reads a body. */
    public static TopicStatsTable read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLUSTER_BYTES, TopicStatsTable::read);
    }

    /** Reads one value. */
    public static TopicStatsTable read(JsonReader in) {
        Map<MessageQueue, TopicOffset> offsets = new LinkedHashMap<>();
        double topicPutTps = 0;
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "offsetTable" -> readOffsets(in, offsets);
                    case "topicPutTps" -> topicPutTps = in.decimal();
                    default -> in.skip();
                }
            }
        }
        return new TopicStatsTable(offsets, topicPutTps);
    }

    private static void readOffsets(JsonReader in, Map<MessageQueue, TopicOffset> offsets) {
        if (in.beginObject()) {
            while (in.nextMember()) {
                MessageQueue queue = MessageQueue.parse(in.name());
                offsets.put(queue, TopicOffset.read(in));
            }
        }
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.name("offsetTable").beginObject();
        offsetTable.forEach((queue, offset) -> {
            out.name(queue);
            offset.writeTo(out);
        });
        out.endObject();
        out.member("topicPutTps", topicPutTps);
        out.endObject();
    }
}
