package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonWriter;
import java.util.List;

/**
 * The producers of a group that are online.
 *
 * @param connectionSet the producers
 */
public record ProducerConnection(List<ClientConnection> connectionSet) implements JsonBody {
    /** Copies the list. */
    public ProducerConnection {
        connectionSet = List.copyOf(connectionSet);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject().members("connectionSet", connectionSet).endObject();
    }
}
