package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.Map;

/**
 * All topics of a broker.
 *
 * @param topicConfigTable topics by name
 * @param dataVersion version of the table
 */
public record TopicConfigTable(Map<String, TopicConfig> topicConfigTable, DataVersion dataVersion) implements JsonBody {

    /** Copies the map. */
    public TopicConfigTable {
        topicConfigTable = Ordered.copy(topicConfigTable);
    }

    /** Reads a body. */
    public static TopicConfigTable read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLUSTER_BYTES, TopicConfigTable::read);
    }

    /** Reads one value. */
    public static TopicConfigTable read(JsonReader in) {
        Map<String, TopicConfig> topics = Map.of();
        DataVersion dataVersion = DataVersion.ZERO;
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "topicConfigTable" -> topics = in.map(TopicConfig::read);
                    case "dataVersion" -> dataVersion = DataVersion.read(in);
                    default -> in.skip();
                }
            }
        }
        return new TopicConfigTable(topics, dataVersion);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.member("dataVersion", dataVersion).members("topicConfigTable", topicConfigTable);
        out.endObject();
    }
}
