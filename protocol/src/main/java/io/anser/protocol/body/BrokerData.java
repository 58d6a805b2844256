package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The members of one broker group.
 *
 * @param cluster cluster the group belongs to
 * @param brokerName broker group
 * @param brokerAddrs {@code host:port} by broker id; id {@link #MASTER_ID} is the master
 * @param zoneName "" if none
 * @param enableActingMaster whether a slave stands in for a lost master
 */
public record BrokerData(
        String cluster,
        String brokerName,
        SortedMap<Long, String> brokerAddrs,
        String zoneName,
        boolean enableActingMaster)
        implements JsonBody {
    /** Broker id of a master. */
    public static final long MASTER_ID = 0;

    /** Copies the addresses. */
    public BrokerData {
        brokerAddrs = BrokerAddresses.copy(brokerAddrs);
    }

    /** A group without zone and acting master. */
    public BrokerData(String cluster, String brokerName, Map<Long, String> brokerAddrs) {
        this(cluster, brokerName, BrokerAddresses.copy(brokerAddrs), "", false);
    }

    /** Address of the master, if the group has one now. */
    public Optional<String> master() {
        return Optional.ofNullable(brokerAddrs.get(MASTER_ID));
    }

    /** Reads one value. */
    public static BrokerData read(JsonReader in) {
        String cluster = "";
        String brokerName = "";
        SortedMap<Long, String> brokerAddrs = BrokerAddresses.copy(Map.of());
        String zoneName = "";
        boolean enableActingMaster = false;
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "cluster" -> cluster = in.string();
                    case "brokerName" -> brokerName = in.string();
                    case "brokerAddrs" -> brokerAddrs = BrokerAddresses.read(in);
                    case "zoneName" -> zoneName = in.string();
                    case "enableActingMaster" -> enableActingMaster = in.flag();
                    default -> in.skip();
                }
            }
        }
        return new BrokerData(cluster, brokerName, brokerAddrs, zoneName, enableActingMaster);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        BrokerAddresses.write(out, brokerAddrs);
        out.member("brokerName", brokerName).member("cluster", cluster);
        out.member("enableActingMaster", enableActingMaster).memberUnlessEmpty("zoneName", zoneName);
        out.endObject();
    }
}
