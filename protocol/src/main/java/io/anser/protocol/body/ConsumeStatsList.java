package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonWriter;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * How far all consumer groups of a broker have come.
 *
 * @param consumeStatsList by group, one value for each of its topics
 * @param brokerAddr the broker's {@code host:port}
 */
public record ConsumeStatsList(Map<String, List<ConsumeStats>> consumeStatsList, String brokerAddr)
        implements JsonBody {
    /** Copies the map. */
    public ConsumeStatsList {
        consumeStatsList = Ordered.copy(consumeStatsList);
    }

    private long total(ToLongFunction<ConsumeStats> figure) {
        return consumeStatsList.values().stream()
                .flatMap(List::stream)
                .mapToLong(figure)
                .sum();
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.member("brokerAddr", brokerAddr);
        out.name("consumeStatsList").beginArray();
        consumeStatsList.forEach(
                (group, stats) -> out.beginObject().members(group, stats).endObject());
        out.endArray();
        out.member("totalDiff", total(ConsumeStats::lag));
        out.member("totalInflightDiff", total(ConsumeStats::inFlight));
        out.endObject();
    }
}
