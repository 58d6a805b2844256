package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.List;

/**
 * A consumer in a heartbeat.
 *
 * @param groupName consumer group
 * @param consumeType how it gets its messages
 * @param messageModel how the group shares them
 * @param consumeFromWhere where a new group starts
 * @param subscriptionDataSet what it wants
 * @param unitMode kept as it came
 */
public record ConsumerData(
        String groupName,
        ConsumeType consumeType,
        MessageModel messageModel,
        ConsumeFromWhere consumeFromWhere,
        List<SubscriptionData> subscriptionDataSet,
        boolean unitMode)
        implements JsonBody {

    /** Copies the list. */
    public ConsumerData {
        subscriptionDataSet = List.copyOf(subscriptionDataSet);
    }

    /** Reads one value. */
    public static ConsumerData read(JsonReader in) {
        String groupName = "";
        ConsumeType consumeType = ConsumeType.CONSUME_PASSIVELY;
        MessageModel messageModel = MessageModel.CLUSTERING;
        ConsumeFromWhere consumeFromWhere = ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET;
        List<SubscriptionData> subscriptions = List.of();
        boolean unitMode = false;
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "groupName" -> groupName = in.string();
                    case "consumeType" -> consumeType = WireEnum.of("consumeType", in.string(), consumeType);
                    case "messageModel" -> messageModel = WireEnum.of("messageModel", in.string(), messageModel);
                    case "consumeFromWhere" ->
                        consumeFromWhere = WireEnum.of("consumeFromWhere", in.string(), consumeFromWhere);
                    case "subscriptionDataSet" -> subscriptions = in.list(SubscriptionData::read);
                    case "unitMode" -> unitMode = in.flag();
                    default -> in.skip();
                }
            }
        }
        return new ConsumerData(groupName, consumeType, messageModel, consumeFromWhere, subscriptions, unitMode);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.member("consumeFromWhere", consumeFromWhere.name()).member("consumeType", consumeType.name());
        out.member("groupName", groupName).member("messageModel", messageModel.name());
        out.members("subscriptionDataSet", subscriptionDataSet).member("unitMode", unitMode);
        out.endObject();
    }
}
