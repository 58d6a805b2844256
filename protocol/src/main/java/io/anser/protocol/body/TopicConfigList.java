package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.List;

/**
 * Topics that are created or changed together.
 *
 * @param topicConfigList their settings, in the order in which they are taken
 */
public record TopicConfigList(List<TopicConfig> topicConfigList) implements JsonBody {
    /** Copies the list. */
    public TopicConfigList {
        topicConfigList = List.copyOf(topicConfigList);
    }

    /** Reads a body. */
    public static TopicConfigList read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLUSTER_BYTES, TopicConfigList::read);
    }

    /** Reads one value. */
    public static TopicConfigList read(JsonReader in) {
        List<TopicConfig> configs = List.of();
        if (in.beginObject()) {
            while (in.nextMember()) {
                if (in.name().equals("topicConfigList")) {
                    configs = in.list(TopicConfig::read);
                } else {
                    in.skip();
                }
            }
        }
        return new TopicConfigList(configs);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject().members("topicConfigList", topicConfigList).endObject();
    }
}
