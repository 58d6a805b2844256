package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All brokers a name server knows. Clients of all ages expect the unquoted broker ids of {@link #write()}.
 *
 * @param brokerAddrTable broker groups by name
 * @param clusterAddrTable names of broker groups by cluster
 */
public record ClusterInfo(Map<String, BrokerData> brokerAddrTable, Map<String, List<String>> clusterAddrTable)
        implements JsonBody {

    /** Copies the maps. */
    public ClusterInfo {
        brokerAddrTable = Ordered.copy(brokerAddrTable);
        clusterAddrTable = Ordered.copy(clusterAddrTable);
    }

    /** Reads a body. */
    public static ClusterInfo read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLUSTER_BYTES, ClusterInfo::read);
    }

    /** Reads one value. */
    public static ClusterInfo read(JsonReader in) {
        Map<String, BrokerData> brokers = new LinkedHashMap<>();
        Map<String, List<String>> clusters = new LinkedHashMap<>();
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "brokerAddrTable" -> brokers = in.map(BrokerData::read);
                    case "clusterAddrTable" -> clusters = in.map(names -> names.list(JsonReader::string));
                    default -> in.skip();
                }
            }
        }
        return new ClusterInfo(brokers, clusters);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.members("brokerAddrTable", brokerAddrTable);
        out.name("clusterAddrTable").beginObject();
        clusterAddrTable.forEach(out::strings);
        out.endObject();
        out.endObject();
    }
}
