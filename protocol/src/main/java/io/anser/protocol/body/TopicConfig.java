package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.Map;

/**
 * Settings of a topic on one broker.
 *
 * @param topicName topic name
 * @param readQueueNums consumers use queues {@code [0, readQueueNums)}
 * @param writeQueueNums producers use queues {@code [0, writeQueueNums)}
 * @param perm see {@link Perm}
 * @param topicFilterType whether messages carry several tags
 * @param topicSysFlag kept as it came
 * @param order whether the number of queues is fixed for the sake of order
 * @param attributes for example {@code message.type=FIFO}
 */
public record TopicConfig(
        String topicName,
        int readQueueNums,
        int writeQueueNums,
        int perm,
        TopicFilterType topicFilterType,
        int topicSysFlag,
        boolean order,
        Map<String, String> attributes)
        implements JsonBody {
    /** Queues of a topic that does not say how many. */
    public static final int DEFAULT_QUEUE_NUMS = 16;

    /** Copies the attributes. */
    public TopicConfig {
        attributes = Ordered.copy(attributes);
    }

    /** A plain topic. */
    public TopicConfig(String topicName, int readQueueNums, int writeQueueNums, int perm) {
        this(topicName, readQueueNums, writeQueueNums, perm, TopicFilterType.SINGLE_TAG, 0, false, Map.of());
    }

    /** Reads a body. */
    public static TopicConfig read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLIENT_BYTES, TopicConfig::read);
    }

    /** Reads one value. */
    public static TopicConfig read(JsonReader in) {
        String topicName = "";
        int readQueueNums = DEFAULT_QUEUE_NUMS;
        int writeQueueNums = DEFAULT_QUEUE_NUMS;
        int perm = Perm.READ | Perm.WRITE;
        TopicFilterType topicFilterType = TopicFilterType.SINGLE_TAG;
        int topicSysFlag = 0;
        boolean order = false;
        Map<String, String> attributes = Map.of();
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "topicName" -> topicName = in.string();
                    case "readQueueNums" -> readQueueNums = in.integer();
                    case "writeQueueNums" -> writeQueueNums = in.integer();
                    case "perm" -> perm = in.integer();
                    case "topicFilterType" ->
                        topicFilterType = WireEnum.of("topicFilterType", in.string(), TopicFilterType.SINGLE_TAG);
                    case "topicSysFlag" -> topicSysFlag = in.integer();
                    case "order" -> order = in.flag();
                    case "attributes" -> attributes = in.map(JsonReader::string);
                    default -> in.skip();
                }
            }
        }
        return new TopicConfig(
                topicName, readQueueNums, writeQueueNums, perm, topicFilterType, topicSysFlag, order, attributes);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.strings("attributes", attributes);
        out.member("order", order).member("perm", perm).member("readQueueNums", readQueueNums);
        out.member("topicFilterType", topicFilterType.name()).member("topicName", topicName);
        out.member("topicSysFlag", topicSysFlag).member("writeQueueNums", writeQueueNums);
        out.endObject();
    }
}
