package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;

/**
 * How a group consumes a topic.
 *
 * @param topic topic name
 * @param consumerGroup name of the consumer group
 * @param mode how its members get the messages
 * @param popShareQueueNum how many members share a queue with its first one; 0 or less: all share all queues
 */
public record RequestMode(String topic, String consumerGroup, MessageRequestMode mode, int popShareQueueNum)
        implements JsonBody {
    /** Reads a body. */
    public static RequestMode read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLIENT_BYTES, RequestMode::read);
    }

    /** Reads one value. */
    public static RequestMode read(JsonReader in) {
        String topic = "";
        String group = "";
        MessageRequestMode mode = MessageRequestMode.PULL;
        int share = 0;
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "topic" -> topic = in.string();
                    case "consumerGroup" -> group = in.string();
                    case "mode" -> mode = WireEnum.of("mode", in.string(), mode);
                    case "popShareQueueNum" -> share = in.integer();
                    default -> in.skip();
                }
            }
        }
        return new RequestMode(topic, group, mode, share);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.member("consumerGroup", consumerGroup).member("mode", mode.name());
        out.member("popShareQueueNum", popShareQueueNum).member("topic", topic);
        out.endObject();
    }
}
