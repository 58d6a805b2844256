package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;

/**
 * Version of a broker's topic table; a table with another version is another table.
 *
 * @param stateVersion term of the broker group's leadership, 0 without one
 * @param timestamp time of the last change, milliseconds
 * @param counter changes so far
 */
public record DataVersion(long stateVersion, long timestamp, long counter) implements JsonBody {
    /** The version of a table that never changed. */
    public static final DataVersion ZERO = new DataVersion(0, 0, 0);

    /** Reads a body. */
    public static DataVersion read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLIENT_BYTES, DataVersion::read);
    }

    /** Reads one value. */
    public static DataVersion read(JsonReader in) {
        long stateVersion = 0;
        long timestamp = 0;
        long counter = 0;
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "stateVersion" -> stateVersion = in.number();
                    case "timestamp" -> timestamp = in.number();
                    case "counter" -> counter = in.number();
                    default -> in.skip();
                }
            }
        }
        return new DataVersion(stateVersion, timestamp, counter);
    }

    /** The version after one more change. */
    public DataVersion next(long nowMillis) {
        return new DataVersion(stateVersion, nowMillis, counter + 1);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.member("counter", counter).member("stateVersion", stateVersion).member("timestamp", timestamp);
        out.endObject();
    }
}
