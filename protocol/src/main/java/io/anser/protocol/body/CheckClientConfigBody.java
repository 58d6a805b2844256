package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;

/**
 * A subscription that a starting consumer wants the broker to check.
 *
 * @param clientId who asks
 * @param group consumer group
 * @param namespace "" if none
 * @param subscriptionData the subscription
 */
public record CheckClientConfigBody(String clientId, String group, String namespace, SubscriptionData subscriptionData)
        implements JsonBody {

    /** Reads a body. */
    public static CheckClientConfigBody read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLIENT_BYTES, CheckClientConfigBody::read);
    }

    /** Reads one value. */
    public static CheckClientConfigBody read(JsonReader in) {
        String clientId = "";
        String group = "";
        String namespace = "";
        SubscriptionData subscriptionData = SubscriptionData.ofTags("", SubscriptionData.ALL, 0);
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "clientId" -> clientId = in.string();
                    case "group" -> group = in.string();
                    case "namespace" -> namespace = in.string();
                    case "subscriptionData" -> subscriptionData = SubscriptionData.read(in);
                    default -> in.skip();
                }
            }
        }
        return new CheckClientConfigBody(clientId, group, namespace, subscriptionData);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.member("clientId", clientId).member("group", group);
        out.memberUnlessEmpty("namespace", namespace).member("subscriptionData", subscriptionData);
        out.endObject();
    }
}
