package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.Base64;
import java.util.BitSet;
import java.util.List;

/**
 * Popped messages that are done with.
 *
 * @param brokerName the broker that handed them out
 * @param acks one entry for each pop and queue
 */
public record BatchAck(String brokerName, List<Entry> acks) implements JsonBody {
    /** Copies the list. */
    public BatchAck {
        acks = List.copyOf(acks);
    }

    /** Reads a body. */
    public static BatchAck read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLIENT_BYTES, BatchAck::read);
    }

    /** Reads one value. */
    public static BatchAck read(JsonReader in) {
        String brokerName = "";
        List<Entry> acks = List.of();
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "brokerName" -> brokerName = in.string();
                    case "acks" -> acks = in.list(Entry::read);
                    default -> in.skip();
                }
            }
        }
        return new BatchAck(brokerName, acks);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject().members("acks", acks).member("brokerName", brokerName).endObject();
    }

    /**
     * Messages of one pop and one queue.
     *
     * @param consumerGroup name of the consumer group
     * @param topic topic name, also for messages of a retry topic
     * @param mark 0 for messages of the topic itself, 1 and 2 for its retry topics
     * @param startOffset what the handles begin with
     * @param queueId the queue
     * @param reviveQueueId as in the handles
     * @param popTime as in the handles
     * @param invisibleTime as in the handles
     * @param offsets bits of the messages' queue offsets, counted from startOffset; not changed
     */
    public record Entry(
            String consumerGroup,
            String topic,
            int mark,
            long startOffset,
            int queueId,
            int reviveQueueId,
            long popTime,
            long invisibleTime,
            BitSet offsets)
            implements JsonBody {
        /** Reads one value. */
        public static Entry read(JsonReader in) {
            String group = "";
            String topic = "";
            int mark = 0;
            long start = 0;
            int queueId = 0;
            int reviveQueueId = 0;
            long popTime = 0;
            long invisibleTime = 0;
            BitSet offsets = new BitSet();
            if (in.beginObject()) {
                while (in.nextMember()) {
                    switch (in.name()) {
                        case "c", "consumerGroup" -> group = in.string();
                        case "t", "topic" -> topic = in.string();
                        case "r", "retry" -> mark = mark(in.string());
                        case "so", "startOffset" -> start = in.number();
                        case "q", "queueId" -> queueId = in.integer();
                        case "rq", "reviveQueueId" -> reviveQueueId = in.integer();
                        case "pt", "popTime" -> popTime = in.number();
                        case "it", "invisibleTime" -> invisibleTime = in.number();
                        case "b", "bitSet" -> offsets = bits(in.string());
                        default -> in.skip();
                    }
                }
            }
            return new Entry(group, topic, mark, start, queueId, reviveQueueId, popTime, invisibleTime, offsets);
        }

        private static int mark(String text) {
            return switch (text) {
                case "", "0" -> 0;
                case "1" -> 1;
                case "2" -> 2;
                default -> throw new MalformedBodyException("retry is none of 0, 1 and 2");
            };
        }

        private static BitSet bits(String base64) {
            try {
                return BitSet.valueOf(Base64.getDecoder().decode(base64));
            } catch (IllegalArgumentException e) {
                throw new MalformedBodyException("the set of acknowledged offsets is not Base64");
            }
        }

        @Override
        public void writeTo(JsonWriter out) {
            out.beginObject();
            out.member("b", Base64.getEncoder().encodeToString(offsets.toByteArray()));
            out.member("c", consumerGroup).member("it", invisibleTime).member("pt", popTime);
            out.member("q", queueId).member("r", Integer.toString(mark)).member("rq", reviveQueueId);
            out.member("so", startOffset).member("t", topic);
            out.endObject();
        }
    }
}
