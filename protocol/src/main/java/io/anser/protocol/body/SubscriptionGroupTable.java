package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.Map;

/**
 * All consumer groups of a broker.
 *
 * @param subscriptionGroupTable groups by name
 * @param dataVersion version of the table
 */
public record SubscriptionGroupTable(
        Map<String, SubscriptionGroupConfig> subscriptionGroupTable, DataVersion dataVersion) implements JsonBody {

    /** Copies the map. */
    public SubscriptionGroupTable {
        subscriptionGroupTable = Ordered.copy(subscriptionGroupTable);
    }

    /** Reads a body. */
    public static SubscriptionGroupTable read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLUSTER_BYTES, SubscriptionGroupTable::read);
    }

    /** Reads one value. */
    public static SubscriptionGroupTable read(JsonReader in) {
        Map<String, SubscriptionGroupConfig> groups = Map.of();
        DataVersion dataVersion = DataVersion.ZERO;
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "subscriptionGroupTable" -> groups = in.map(SubscriptionGroupConfig::read);
                    case "dataVersion" -> dataVersion = DataVersion.read(in);
                    default -> in.skip();
                }
            }
        }
        return new SubscriptionGroupTable(groups, dataVersion);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.member("dataVersion", dataVersion);
        out.name("forbiddenTable").beginObject().endObject();
        out.members("subscriptionGroupTable", subscriptionGroupTable);
        out.endObject();
    }
}
