package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.List;

/**
 * Consumer groups that are created or changed together.
 *
 * @param groupConfigList their settings, in the order in which they are taken
 */
public record SubscriptionGroupList(List<SubscriptionGroupConfig> groupConfigList) implements JsonBody {
    /** Copies the list. */
    public SubscriptionGroupList {
        groupConfigList = List.copyOf(groupConfigList);
    }

    /** Reads a body. */
    public static SubscriptionGroupList read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLUSTER_BYTES, SubscriptionGroupList::read);
    }

    /** Reads one value. */
    public static SubscriptionGroupList read(JsonReader in) {
        List<SubscriptionGroupConfig> configs = List.of();
        if (in.beginObject()) {
            while (in.nextMember()) {
                if (in.name().equals("groupConfigList")) {
                    configs = in.list(SubscriptionGroupConfig::read);
                } else {
                    in.skip();
                }
            }
        }
        return new SubscriptionGroupList(configs);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject().members("groupConfigList", groupConfigList).endObject();
    }
}
