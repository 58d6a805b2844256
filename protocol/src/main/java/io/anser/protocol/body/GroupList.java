package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.List;

/**
 * Names of consumer groups.
 *
 * @param groupList in no particular order
 */
public record GroupList(List<String> groupList) implements JsonBody {
    /** Copies the list. */
    public GroupList {
        groupList = List.copyOf(groupList);
    }

    /** Reads a body. */
    public static GroupList read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLUSTER_BYTES, GroupList::read);
    }

    /** Reads one value. */
    public static GroupList read(JsonReader in) {
        List<String> groups = List.of();
        if (in.beginObject()) {
            while (in.nextMember()) {
                if (in.name().equals("groupList")) {
                    groups = in.list(JsonReader::string);
                } else {
                    in.skip();
                }
            }
        }
        return new GroupList(groups);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject().strings("groupList", groupList).endObject();
    }
}
