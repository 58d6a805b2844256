package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonWriter;
import java.util.List;

/**
 * From when to when the messages of queues are, and how far in time a consumer group has come.
 *
 * @param consumeTimeSpanSet one for each queue
 */
public record QueueTimeSpans(List<Span> consumeTimeSpanSet) implements JsonBody {
    /** Copies the list. */
    public QueueTimeSpans {
        consumeTimeSpanSet = List.copyOf(consumeTimeSpanSet);
    }

    /**
     * The times of one queue, in milliseconds.
     *
     * @param messageQueue the queue
     * @param minTimeStamp store time of its oldest message; -1 when it has none
     * @param maxTimeStamp store time of its newest message; -1 when it has none
     * @param consumeTimeStamp store time of the last message that the group is done with; {@code minTimeStamp} when there is
     *     none
     * @param delayTime how long the oldest message waits that the group is not done with; 0 when there is none
     */
    public record Span(
            MessageQueue messageQueue, long minTimeStamp, long maxTimeStamp, long consumeTimeStamp, long delayTime)
            implements JsonBody {
        @Override
        public void writeTo(JsonWriter out) {
            out.beginObject();
            out.member("consumeTimeStamp", consumeTimeStamp).member("delayTime", delayTime);
            out.member("maxTimeStamp", maxTimeStamp).member("messageQueue", messageQueue);
            out.member("minTimeStamp", minTimeStamp);
            out.endObject();
        }
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject().members("consumeTimeSpanSet", consumeTimeSpanSet).endObject();
    }
}
