package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonWriter;

/**
 * A client of a broker.
 *
 * @param clientId how the client calls itself
 * @param clientAddr {@code host:port} that its connection comes from
 * @param language name of the language it is written in, such as {@code JAVA}
 * @param version number of its version
 */
public record ClientConnection(String clientId, String clientAddr, String language, int version) implements JsonBody {
    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.member("clientAddr", clientAddr).member("clientId", clientId);
        out.member("language", language).member("version", version);
        out.endObject();
    }
}
