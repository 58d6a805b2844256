package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonWriter;

/**
 * One counter of a broker over three spans of time.
 *
 * @param statsMinute over the last minute
 * @param statsHour over the last hour
 * @param statsDay over the last day
 */
public record BrokerStatsData(Item statsMinute, Item statsHour, Item statsDay) implements JsonBody {
    /**
     * What was counted over one span of time.
     *
     * @param sum all of it
     * @param tps per second
     * @param avgpt how much for each time that something was counted
     */
    public record Item(long sum, double tps, double avgpt) implements JsonBody {
        @Override
        public void writeTo(JsonWriter out) {
            out.beginObject();
            out.member("avgpt", avgpt).member("sum", sum).member("tps", tps);
            out.endObject();
        }
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.member("statsDay", statsDay).member("statsHour", statsHour).member("statsMinute", statsMinute);
        out.endObject();
    }
}
