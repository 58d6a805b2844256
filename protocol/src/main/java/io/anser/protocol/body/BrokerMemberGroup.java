package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.Map;
import java.util.SortedMap;

/**
 * The members of one broker group, wrapped as the answer to the question for them.
 *
 * @param cluster cluster the group belongs to
 * @param brokerName broker group
 * @param brokerAddrs {@code host:port} by broker id
 */
public record BrokerMemberGroup(String cluster, String brokerName, SortedMap<Long, String> brokerAddrs)
        implements JsonBody {

    /** Copies the addresses. */
    public BrokerMemberGroup {
        brokerAddrs = BrokerAddresses.copy(brokerAddrs);
    }

    /** Reads the answer's body. */
    public static BrokerMemberGroup read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLUSTER_BYTES, BrokerMemberGroup::readWrapped);
    }

    private static BrokerMemberGroup readWrapped(JsonReader in) {
        BrokerMemberGroup group = new BrokerMemberGroup("", "", BrokerAddresses.copy(Map.of()));
        if (in.beginObject()) {
            while (in.nextMember()) {
                if (in.name().equals("brokerMemberGroup")) {
                    BrokerData members = BrokerData.read(in);
                    group = new BrokerMemberGroup(members.cluster(), members.brokerName(), members.brokerAddrs());
                } else {
                    in.skip();
                }
            }
        }
        return group;
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject().name("brokerMemberGroup").beginObject();
        BrokerAddresses.write(out, brokerAddrs);
        out.member("brokerName", brokerName).member("cluster", cluster);
        out.endObject().endObject();
    }
}
