package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.List;

/**
 * Client ids of the members of a consumer group.
 *
 * @param consumerIdList in no particular order: members sort it themselves
 */
public record ConsumerIdList(List<String> consumerIdList) implements JsonBody {
    /** Copies the list. */
    public ConsumerIdList {
        consumerIdList = List.copyOf(consumerIdList);
    }

    /** Reads a body. */
    public static ConsumerIdList read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLUSTER_BYTES, ConsumerIdList::read);
    }

    /** Reads one value. */
    public static ConsumerIdList read(JsonReader in) {
        List<String> ids = List.of();
        if (in.beginObject()) {
            while (in.nextMember()) {
                if (in.name().equals("consumerIdList")) {
                    ids = in.list(JsonReader::string);
                } else {
                    in.skip();
                }
            }
        }
        return new ConsumerIdList(ids);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject().strings("consumerIdList", consumerIdList).endObject();
    }
}
