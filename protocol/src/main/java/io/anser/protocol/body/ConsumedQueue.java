package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;

/**
 * How far a consumer group has come in a queue.
 *
 * @param brokerOffset offset of the next message that will be stored
 * @param consumerOffset offset of the first message that the group is not done with
 * @param pullOffset offset of the first message that no member of the group has got yet
 * @param lastTimestamp store time of the last message that the group is done with, milliseconds; 0 when there is none
 */
public record ConsumedQueue(long brokerOffset, long consumerOffset, long pullOffset, long lastTimestamp)
        implements JsonBody {
    /** Reads one value. */
    public static ConsumedQueue read(JsonReader in) {
        long brokerOffset = 0;
        long consumerOffset = 0;
        long pullOffset = 0;
        long lastTimestamp = 0;
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "brokerOffset" -> brokerOffset = in.number();
                    case "consumerOffset" -> consumerOffset = in.number();
                    case "pullOffset" -> pullOffset = in.number();
                    case "lastTimestamp" -> lastTimestamp = in.number();
                    default -> in.skip();
                }
            }
        }
        return new ConsumedQueue(brokerOffset, consumerOffset, pullOffset, lastTimestamp);
    }

    /** Messages that the group is not done with. */
    public long lag() {
        return brokerOffset - consumerOffset;
    }

    /** Messages that members have got and not acknowledged. */
    public long inFlight() {
        return pullOffset - consumerOffset;
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.member("brokerOffset", brokerOffset).member("consumerOffset", consumerOffset);
        out.member("lastTimestamp", lastTimestamp).member("pullOffset", pullOffset);
        out.endObject();
    }
}
