package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.List;
import java.util.Set;

/**
 * Names of topics.
 *
 * @param topicList the names, each once
 * @param brokerAddr a broker's {@code host:port} where the operation tells one, else ""
 */
public record TopicList(Set<String> topicList, String brokerAddr) implements JsonBody {
    /** Copies the set. */
    public TopicList {
        topicList = Ordered.copy(topicList);
    }

    /** A list without a broker's address. */
    public TopicList(Set<String> topicList) {
        this(topicList, "");
    }

    /** Reads a body. */
    public static TopicList read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLUSTER_BYTES, TopicList::read);
    }

    /** Reads one value. */
    public static TopicList read(JsonReader in) {
        List<String> topics = List.of();
        String brokerAddr = "";
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "topicList" -> topics = in.list(JsonReader::string);
                    case "brokerAddr" -> brokerAddr = in.string();
                    default -> in.skip();
                }
            }
        }
        return new TopicList(Ordered.copy(topics), brokerAddr);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.memberUnlessEmpty("brokerAddr", brokerAddr).strings("topicList", topicList);
        out.endObject();
    }
}
