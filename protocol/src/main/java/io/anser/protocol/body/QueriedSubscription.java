package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonWriter;
import java.util.Optional;

/**
 * What a consumer group wants of a topic.
 *
 * @param subscriptionData empty when nobody of the group is online, or nobody wants the topic
 * @param group name of the consumer group
 * @param topic topic name
 */
public record QueriedSubscription(Optional<SubscriptionData> subscriptionData, String group, String topic)
        implements JsonBody {
    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.member("group", group);
        subscriptionData.ifPresent(data -> out.member("subscriptionData", data));
        out.member("topic", topic);
        out.endObject();
    }
}
