package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonWriter;
import java.util.List;
import java.util.Optional;

/**
 * Entries of a queue of the index.
 *
 * @param subscriptionData what the group wants whose filter was applied
 * @param filterData about that filter, for people; may be empty
 * @param queueData the entries
 * @param maxQueueIndex offset of the next message
 * @param minQueueIndex offset of the first message that is still there
 */
public record QueriedConsumeQueue(
        Optional<SubscriptionData> subscriptionData,
        String filterData,
        List<Entry> queueData,
        long maxQueueIndex,
        long minQueueIndex)
        implements JsonBody {
    /** Copies the list. */
    public QueriedConsumeQueue {
        queueData = List.copyOf(queueData);
    }

    /**
     * One entry.
     *
     * @param physicOffset log position of the message
     * @param physicSize its size in bytes
     * @param tagsCode hash of its tag
     * @param eval whether the filter lets it pass; true without one
     * @param msg for people; may be empty
     */
    public record Entry(long physicOffset, int physicSize, long tagsCode, boolean eval, String msg)
            implements JsonBody {
        @Override
        public void writeTo(JsonWriter out) {
            out.beginObject();
            out.member("eval", eval).memberUnlessEmpty("msg", msg);
            out.member("physicOffset", physicOffset).member("physicSize", physicSize);
            out.member("tagsCode", tagsCode);
            out.endObject();
        }
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.memberUnlessEmpty("filterData", filterData);
        out.member("maxQueueIndex", maxQueueIndex).member("minQueueIndex", minQueueIndex);
        out.members("queueData", queueData);
        subscriptionData.ifPresent(data -> out.member("subscriptionData", data));
        out.endObject();
    }
}
