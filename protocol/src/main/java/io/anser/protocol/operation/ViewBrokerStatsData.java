package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a broker for one of its counters; the response body tells it over a minute, an hour and a day. */
public final class ViewBrokerStatsData {
    /** Request code. */
    public static final int CODE = 315;

    private static final FieldName STATS_NAME = FieldName.of("statsName");
    private static final FieldName STATS_KEY = FieldName.of("statsKey");

    private ViewBrokerStatsData() {}

    /**
     * The request header.
     *
     * @param statsName name of the kind of counter
     * @param statsKey what is counted: a topic, or topic@group
     */
    public record Request(String statsName, String statsKey) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(STATS_NAME), header.string(STATS_KEY));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(STATS_NAME, statsName);
            out.field(STATS_KEY, statsKey);
        }
    }
}
