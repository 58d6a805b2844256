package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonWriter;

/**
 * Whether a consumer group may read a topic.
 *
 * @param topic topic name
 * @param group name of the consumer group
 * @param readable whether it may
 */
public record GroupForbidden(String topic, String group, boolean readable) implements JsonBody {
    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.member("group", group).member("readable", readable).member("topic", topic);
        out.endObject();
    }
}
