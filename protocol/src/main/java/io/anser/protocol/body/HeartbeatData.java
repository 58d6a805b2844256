package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.List;

/**
 * What a client tells a broker about itself, at least every 30 seconds. At most 1 MiB.
 *
 * @param clientID the client, unique in its groups
 * @param producerDataSet its producers
 * @param consumerDataSet its consumers
 * @param heartbeatFingerprint hash of the subscriptions, 0 if the client does not use it
 * @param withoutSub whether the subscriptions are left out because the broker knows the fingerprint
 */
public record HeartbeatData(
        String clientID,
        List<ProducerData> producerDataSet,
        List<ConsumerData> consumerDataSet,
        int heartbeatFingerprint,
        boolean withoutSub)
        implements JsonBody {

    /** Copies the lists. */
    public HeartbeatData {
        producerDataSet = List.copyOf(producerDataSet);
        consumerDataSet = List.copyOf(consumerDataSet);
    }

    /** A heartbeat that carries everything. */
    public HeartbeatData(String clientID, List<ProducerData> producers, List<ConsumerData> consumers) {
        this(clientID, producers, consumers, 0, false);
    }

    /** Reads a body. */
    public static HeartbeatData read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLIENT_BYTES, HeartbeatData::read);
    }

    /** Reads one value. */
    public static HeartbeatData read(JsonReader in) {
        String clientID = "";
        List<ProducerData> producers = List.of();
        List<ConsumerData> consumers = List.of();
        int heartbeatFingerprint = 0;
        boolean withoutSub = false;
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "clientID" -> clientID = in.string();
                    case "producerDataSet" -> producers = in.list(ProducerData::read);
                    case "consumerDataSet" -> consumers = in.list(ConsumerData::read);
                    case "heartbeatFingerprint" -> heartbeatFingerprint = in.integer();
                    case "withoutSub" -> withoutSub = in.flag();
                    default -> in.skip();
                }
            }
        }
        return new HeartbeatData(clientID, producers, consumers, heartbeatFingerprint, withoutSub);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.member("clientID", clientID).members("consumerDataSet", consumerDataSet);
        out.member("heartbeatFingerprint", heartbeatFingerprint).members("producerDataSet", producerDataSet);
        out.member("withoutSub", withoutSub);
        out.endObject();
    }
}
