package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.List;
import java.util.Map;

/**
 * Where the queues of a topic are: the answer of a name server.
 *
 * @param orderTopicConf {@code brokerA:4;brokerB:4} for a topic with a fixed number of queues, "" for others
 * @param queueDatas queues by broker
 * @param brokerDatas addresses of these brokers
 * @param filterServerTable filter servers by broker address; always empty with present brokers
 */
public record TopicRoute(
        String orderTopicConf,
        List<QueueData> queueDatas,
        List<BrokerData> brokerDatas,
        Map<String, List<String>> filterServerTable)
        implements JsonBody {

    /** Copies the lists. */
    public TopicRoute {
        queueDatas = List.copyOf(queueDatas);
        brokerDatas = List.copyOf(brokerDatas);
        filterServerTable = Map.copyOf(filterServerTable);
    }

    /** A route without fixed queue numbers and filter servers. */
    public TopicRoute(List<QueueData> queueDatas, List<BrokerData> brokerDatas) {
        this("", queueDatas, brokerDatas, Map.of());
    }

    /** Reads a body. */
    public static TopicRoute read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLUSTER_BYTES, TopicRoute::read);
    }

    /** Reads one value. */
    public static TopicRoute read(JsonReader in) {
        String orderTopicConf = "";
        List<QueueData> queueDatas = List.of();
        List<BrokerData> brokerDatas = List.of();
        Map<String, List<String>> filterServerTable = Map.of();
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "orderTopicConf" -> orderTopicConf = in.string();
                    case "queueDatas" -> queueDatas = in.list(QueueData::read);
                    case "brokerDatas" -> brokerDatas = in.list(BrokerData::read);
                    case "filterServerTable" -> filterServerTable = in.map(servers -> servers.list(JsonReader::string));
                    default -> in.skip();
                }
            }
        }
        return new TopicRoute(orderTopicConf, queueDatas, brokerDatas, filterServerTable);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.members("brokerDatas", brokerDatas);
        out.name("filterServerTable").beginObject();
        filterServerTable.forEach(out::strings);
        out.endObject();
        out.memberUnlessEmpty("orderTopicConf", orderTopicConf);
        out.members("queueDatas", queueDatas);
        out.endObject();
    }
}
