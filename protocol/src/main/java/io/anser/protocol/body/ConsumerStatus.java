package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.Map;

/**
 * Where members of a consumer group are in the queues of a topic: one member's answer, or that of several by client id.
 *
 * @param messageQueueTable queue offsets of the one member that answers
 * @param consumerTable the same by client id, as a broker puts it together
 */
public record ConsumerStatus(
        Map<MessageQueue, Long> messageQueueTable, Map<String, Map<MessageQueue, Long>> consumerTable)
        implements JsonBody {
    /** Copies the maps. */
    public ConsumerStatus {
        messageQueueTable = Ordered.copy(messageQueueTable);
        consumerTable = Ordered.copy(consumerTable);
    }

    /** Reads a body. */
    public static ConsumerStatus read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLIENT_BYTES, ConsumerStatus::read);
    }

    private static ConsumerStatus read(JsonReader in) {
        Map<MessageQueue, Long> queues = Map.of();
        Map<String, Map<MessageQueue, Long>> consumers = Map.of();
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "messageQueueTable" -> queues = QueueOffsetTable.readTable(in);
                    case "consumerTable" -> consumers = in.map(QueueOffsetTable::readTable);
                    default -> in.skip();
                }
            }
        }
        return new ConsumerStatus(queues, consumers);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.name("consumerTable").beginObject();
        consumerTable.forEach((clientId, queues) -> QueueOffsetTable.writeTable(out, clientId, queues));
        out.endObject();
        QueueOffsetTable.writeTable(out, "messageQueueTable", messageQueueTable);
        out.endObject();
    }
}
