package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonWriter;

/**
 * A producer in a list of all.
 *
 * @param clientId how the client calls itself
 * @param remoteIP {@code host:port} that its connection comes from
 * @param language name of the language it is written in, such as {@code JAVA}
 * @param version number of its version
 * @param lastUpdateTimestamp when it was last heard of, milliseconds
 */
public record ProducerInfo(String clientId, String remoteIP, String language, int version, long lastUpdateTimestamp)
        implements JsonBody {
    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.member("clientId", clientId).member("language", language);
        out.member("lastUpdateTimestamp", lastUpdateTimestamp).member("remoteIP", remoteIP);
        out.member("version", version);
        out.endObject();
    }
}
