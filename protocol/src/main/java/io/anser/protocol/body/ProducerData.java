package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;

/**
 * A producer in a heartbeat.
 *
 * @param groupName producer group
 */
public record ProducerData(String groupName) implements JsonBody {
    /** Reads one value. */
    public static ProducerData read(JsonReader in) {
        String groupName = "";
        if (in.beginObject()) {
            while (in.nextMember()) {
                if (in.name().equals("groupName")) {
                    groupName = in.string();
                } else {
                    in.skip();
                }
            }
        }
        return new ProducerData(groupName);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject().member("groupName", groupName).endObject();
    }
}
