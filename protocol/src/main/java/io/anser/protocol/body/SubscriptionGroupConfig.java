package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.Map;

/**
 * Settings of a consumer group on one broker.
 *
 * @param groupName consumer group
 * @param consumeEnable whether the group may consume
 * @param consumeFromMinEnable whether it may start at the first message
 * @param consumeBroadcastEnable whether it may broadcast
 * @param consumeMessageOrderly whether popped messages keep their order
 * @param retryQueueNums queues of its retry topic
 * @param retryMaxTimes retries before a message goes to the dead letters; -1 for ever
 * @param groupRetryPolicy how long messages wait between their tries
 * @param brokerId the member of the broker group to read from
 * @param whichBrokerWhenConsumeSlowly the member to read old messages from
 * @param notifyConsumerIdsChangedEnable whether members are told of others that come and go
 * @param groupSysFlag kept as it came
 * @param consumeTimeoutMinute longest time to consume one message, minutes
 * @param attributes kept as they came
 */
public record SubscriptionGroupConfig(
        String groupName,
        boolean consumeEnable,
        boolean consumeFromMinEnable,
        boolean consumeBroadcastEnable,
        boolean consumeMessageOrderly,
        int retryQueueNums,
        int retryMaxTimes,
        GroupRetryPolicy groupRetryPolicy,
        long brokerId,
        long whichBrokerWhenConsumeSlowly,
        boolean notifyConsumerIdsChangedEnable,
        int groupSysFlag,
        int consumeTimeoutMinute,
        Map<String, String> attributes)
        implements JsonBody {

    /** Copies the attributes. */
    public SubscriptionGroupConfig {
        attributes = Ordered.copy(attributes);
    }

    /** A group with the settings that groups have unless told otherwise. */
    public static SubscriptionGroupConfig defaults(String groupName) {
        return new SubscriptionGroupConfig(
                groupName,
                true,
                true,
                true,
                false,
                1,
                16,
                GroupRetryPolicy.STANDARD,
                BrokerData.MASTER_ID,
                1,
                true,
                0,
                15,
                Map.of());
    }

    /** Reads a body. */
    public static SubscriptionGroupConfig read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLIENT_BYTES, SubscriptionGroupConfig::read);
    }

    /** Reads one value; what is absent has its default. */
    public static SubscriptionGroupConfig read(JsonReader in) {
        SubscriptionGroupConfig defaults = defaults("");
        String groupName = "";
        boolean consumeEnable = defaults.consumeEnable;
        boolean consumeFromMinEnable = defaults.consumeFromMinEnable;
        boolean consumeBroadcastEnable = defaults.consumeBroadcastEnable;
        boolean consumeMessageOrderly = defaults.consumeMessageOrderly;
        int retryQueueNums = defaults.retryQueueNums;
        int retryMaxTimes = defaults.retryMaxTimes;
        GroupRetryPolicy groupRetryPolicy = defaults.groupRetryPolicy;
        long brokerId = defaults.brokerId;
        long whichBrokerWhenConsumeSlowly = defaults.whichBrokerWhenConsumeSlowly;
        boolean notifyConsumerIdsChangedEnable = defaults.notifyConsumerIdsChangedEnable;
        int groupSysFlag = defaults.groupSysFlag;
        int consumeTimeoutMinute = defaults.consumeTimeoutMinute;
        Map<String, String> attributes = Map.of();
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "groupName" -> groupName = in.string();
                    case "consumeEnable" -> consumeEnable = in.flag();
                    case "consumeFromMinEnable" -> consumeFromMinEnable = in.flag();
                    case "consumeBroadcastEnable" -> consumeBroadcastEnable = in.flag();
                    case "consumeMessageOrderly" -> consumeMessageOrderly = in.flag();
                    case "retryQueueNums" -> retryQueueNums = in.integer();
                    case "retryMaxTimes" -> retryMaxTimes = in.integer();
                    case "groupRetryPolicy" -> groupRetryPolicy = GroupRetryPolicy.read(in);
                    case "brokerId" -> brokerId = in.number();
                    case "whichBrokerWhenConsumeSlowly" -> whichBrokerWhenConsumeSlowly = in.number();
                    case "notifyConsumerIdsChangedEnable" -> notifyConsumerIdsChangedEnable = in.flag();
                    case "groupSysFlag" -> groupSysFlag = in.integer();
                    case "consumeTimeoutMinute" -> consumeTimeoutMinute = in.integer();
                    case "attributes" -> attributes = in.map(JsonReader::string);
                    default -> in.skip();
                }
            }
        }
        return new SubscriptionGroupConfig(
                groupName,
                consumeEnable,
                consumeFromMinEnable,
                consumeBroadcastEnable,
                consumeMessageOrderly,
                retryQueueNums,
                retryMaxTimes,
                groupRetryPolicy,
                brokerId,
                whichBrokerWhenConsumeSlowly,
                notifyConsumerIdsChangedEnable,
                groupSysFlag,
                consumeTimeoutMinute,
                attributes);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.strings("attributes", attributes);
        out.member("brokerId", brokerId).member("consumeBroadcastEnable", consumeBroadcastEnable);
        out.member("consumeEnable", consumeEnable).member("consumeFromMinEnable", consumeFromMinEnable);
        out.member("consumeMessageOrderly", consumeMessageOrderly);
        out.member("consumeTimeoutMinute", consumeTimeoutMinute).member("groupName", groupName);
        out.member("groupRetryPolicy", groupRetryPolicy).member("groupSysFlag", groupSysFlag);
        out.member("notifyConsumerIdsChangedEnable", notifyConsumerIdsChangedEnable);
        out.member("retryMaxTimes", retryMaxTimes).member("retryQueueNums", retryQueueNums);
        out.member("whichBrokerWhenConsumeSlowly", whichBrokerWhenConsumeSlowly);
        out.endObject();
    }
}
