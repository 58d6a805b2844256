package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonWriter;
import java.util.List;
import java.util.Map;

/**
 * The members of a consumer group that are online, and what they say about themselves.
 *
 * @param connectionSet the members
 * @param subscriptionTable what the group wants, by topic
 * @param consumeType how it gets its messages
 * @param messageModel how it shares them
 * @param consumeFromWhere where it starts in a queue that is new to it
 */
public record ConsumerConnection(
        List<ClientConnection> connectionSet,
        Map<String, SubscriptionData> subscriptionTable,
        ConsumeType consumeType,
        MessageModel messageModel,
        ConsumeFromWhere consumeFromWhere)
        implements JsonBody {
    /** Copies the collections. */
    public ConsumerConnection {
        connectionSet = List.copyOf(connectionSet);
        subscriptionTable = Ordered.copy(subscriptionTable);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.members("connectionSet", connectionSet);
        out.member("consumeFromWhere", consumeFromWhere.name());
        out.member("consumeType", consumeType.name()).member("messageModel", messageModel.name());
        out.members("subscriptionTable", subscriptionTable);
        out.endObject();
    }
}
