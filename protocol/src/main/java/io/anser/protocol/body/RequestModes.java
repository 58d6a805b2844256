package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonWriter;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How groups were told to consume topics.
 *
 * @param all each pair of topic and group once
 */
public record RequestModes(List<RequestMode> all) implements JsonBody {
    /** Copies the list. */
    public RequestModes {
        all = List.copyOf(all);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject().name("messageRequestModeMap").beginObject();
        all.stream()
                .collect(Collectors.groupingBy(RequestMode::topic, TreeMap::new, Collectors.toList()))
                .forEach((topic, modes) -> {
                    out.name(topic).beginObject();
                    modes.forEach(mode -> out.member(mode.consumerGroup(), mode));
                    out.endObject();
                });
        out.endObject().endObject();
    }
}
