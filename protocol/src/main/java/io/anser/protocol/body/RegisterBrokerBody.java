package io.anser.protocol.body;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonDialect;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a broker tells a name server when it registers. Travels as JSON, or compressed: a zlib stream of
 *
 * <pre>
 * 4 + n    data version, JSON
 * 4        number of topics, for each:
 *   4 + n    topic, text: name readQueues writeQueues perm filterType [attributes, JSON]
 * 4 + n    filter servers, JSON
 * 4        number of queue mappings (absent before 5.0), for each:
 *   4 + n    queue mapping, JSON; passed over
 * </pre>
 *
 * @param topics the broker's topics
 * @param filterServers always empty with present brokers
 */
public record RegisterBrokerBody(TopicConfigTable topics, List<String> filterServers) implements JsonBody {
    private static final int TOPIC_FIELDS = 5;

    /** Copies the list. */
    public RegisterBrokerBody {
        filterServers = List.copyOf(filterServers);
    }

    /**
     * Reads a body.
     *
     * @param compressed as the request says
     * @throws io.anser.protocol.frame.ProtocolException if the body does not follow its format, or takes more than 16
     *     MiB inflated
     */
    public static RegisterBrokerBody read(byte[] body, boolean compressed) {
        return compressed
                ? readPacked(Zlib.inflate(body, BodyLimits.CLUSTER_BYTES))
                : JsonReader.parse(body, BodyLimits.CLUSTER_BYTES, RegisterBrokerBody::read);
    }

    private static RegisterBrokerBody read(JsonReader in) {
        TopicConfigTable topics = new TopicConfigTable(Map.of(), DataVersion.ZERO);
        List<String> filterServers = List.of();
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "topicConfigSerializeWrapper" -> topics = TopicConfigTable.read(in);
                    case "filterServerList" -> filterServers = in.list(JsonReader::string);
                    default -> in.skip();
                }
            }
        }
        return new RegisterBrokerBody(topics, filterServers);
    }

    private static RegisterBrokerBody readPacked(byte[] packed) {
        ByteBuffer in = ByteBuffer.wrap(packed);
        DataVersion dataVersion = DataVersion.read(block(in, "data version"));
        Map<String, TopicConfig> topics = new LinkedHashMap<>();
        for (int left = count(in, "topics"); left > 0; left--) {
            TopicConfig topic = unpack(new String(block(in, "topic"), UTF_8));
            topics.put(topic.topicName(), topic);
        }
        byte[] servers = block(in, "filter servers");
        List<String> filterServers = servers.length == 0
                ? List.of()
                : JsonReader.parse(servers, BodyLimits.CLUSTER_BYTES, json -> json.list(JsonReader::string));
        if (in.hasRemaining()) {
            for (int left = count(in, "queue mappings"); left > 0; left--) {
                block(in, "queue mapping");
            }
        }
        if (in.hasRemaining()) {
            throw new MalformedBodyException("registration has bytes behind its end: " + in.remaining());
        }
        return new RegisterBrokerBody(new TopicConfigTable(topics, dataVersion), filterServers);
    }

    private static int count(ByteBuffer in, String field) {
        int count = in.remaining() < 4 ? -1 : in.getInt();
        // Each entry takes at least its length field, so a count beyond that cannot be true.
        if (count < 0 || count > in.remaining() / 4 || count > JsonReader.MAX_ENTRIES) {
            throw new MalformedBodyException(
                    "registration " + field + "=" + count + " do not fit bytes=" + in.remaining());
        }
        return count;
    }

    private static byte[] block(ByteBuffer in, String field) {
        int length = in.remaining() < 4 ? -1 : in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new MalformedBodyException(
                    "registration " + field + " length=" + length + " does not fit bytes=" + in.remaining());
        }
        byte[] block = new byte[length];
        in.get(block);
        return block;
    }

    private static TopicConfig unpack(String text) {
        // Attributes are the rest of the text: their values may hold spaces.
        String[] fields = text.split(" ", TOPIC_FIELDS + 1);
        if (fields.length < TOPIC_FIELDS) {
            throw new MalformedBodyException("topic fields=" + fields.length + " expected at least " + TOPIC_FIELDS);
        }
        String attributes = fields.length > TOPIC_FIELDS ? fields[TOPIC_FIELDS].strip() : "";
        return new TopicConfig(
                fields[0],
                integer("readQueueNums", fields[1]),
                integer("writeQueueNums", fields[2]),
                integer("perm", fields[3]),
                WireEnum.of("topicFilterType", fields[4], TopicFilterType.SINGLE_TAG),
                0,
                false,
                attributes.isEmpty()
                        ? Map.of()
                        : JsonReader.parse(
                                attributes.getBytes(UTF_8),
                                BodyLimits.CLUSTER_BYTES,
                                json -> json.map(JsonReader::string)));
    }

    private static int integer(String field, String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new MalformedBodyException(field + " is no 32-bit number, length=" + text.length());
        }
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.strings("filterServerList", filterServers).member("topicConfigSerializeWrapper", topics);
        out.endObject();
    }

    /** The compressed form of the body; it does not carry a topic's system flag and order. */
    public byte[] writeCompressed() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        writeBlock(out, topics.dataVersion().write());
        writeInt(out, topics.topicConfigTable().size());
        topics.topicConfigTable().values().forEach(topic -> writeBlock(out, pack(topic)));
        JsonWriter servers = new JsonWriter(JsonDialect.STANDARD).beginArray();
        filterServers.forEach(servers::value);
        writeBlock(out, servers.endArray().toBytes());
        writeInt(out, 0); // queue mappings
        return Zlib.deflate(out.toByteArray());
    }

    private static byte[] pack(TopicConfig topic) {
        JsonWriter attributes = new JsonWriter(JsonDialect.STANDARD).beginObject();
        topic.attributes().forEach(attributes::member);
        String text = String.join(
                " ",
                topic.topicName(),
                Integer.toString(topic.readQueueNums()),
                Integer.toString(topic.writeQueueNums()),
                Integer.toString(topic.perm()),
                topic.topicFilterType().name(),
                new String(attributes.endObject().toBytes(), UTF_8));
        return text.getBytes(UTF_8);
    }

    private static void writeBlock(ByteArrayOutputStream out, byte[] block) {
        writeInt(out, block.length);
        out.writeBytes(block);
    }

    private static void writeInt(ByteArrayOutputStream out, int value) {
        out.writeBytes(ByteBuffer.allocate(4).putInt(value).array());
    }
}
