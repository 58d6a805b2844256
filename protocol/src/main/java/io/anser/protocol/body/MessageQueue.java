package io.anser.protocol.body;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.Comparator;

/**
 * One queue of a topic on one broker. Ordered by topic, broker name and queue id: all members of a group must share the
 * queues out from the same order.
 *
 * @param topic topic name
 * @param brokerName broker group that holds the queue
 * @param queueId from 0; -1 for any queue of the broker
 */
public record MessageQueue(String topic, String brokerName, int queueId) implements JsonBody, Comparable<MessageQueue> {
    private static final Comparator<MessageQueue> ORDER = Comparator.comparing(MessageQueue::topic)
            .thenComparing(MessageQueue::brokerName)
            .thenComparingInt(MessageQueue::queueId);

    /** Reads one value. */
    public static MessageQueue read(JsonReader in) {
        String topic = "";
        String brokerName = "";
        int queueId = 0;
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "topic" -> topic = in.string();
                    case "brokerName" -> brokerName = in.string();
                    case "queueId" -> queueId = in.integer();
                    default -> in.skip();
                }
            }
        }
        return new MessageQueue(topic, brokerName, queueId);
    }

    /** Reads a queue that is the name of a member, as {@link JsonReader#name()} gives it. */
    static MessageQueue parse(String name) {
        return JsonReader.parse(name.getBytes(UTF_8), BodyLimits.CLIENT_BYTES, MessageQueue::read);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.member("brokerName", brokerName).member("queueId", queueId).member("topic", topic);
        out.endObject();
    }

    @Override
    public int compareTo(MessageQueue other) {
        return ORDER.compare(this, other);
    }
}
