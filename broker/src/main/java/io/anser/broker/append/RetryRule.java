package io.anser.broker.append;

import io.anser.broker.metadata.Topic;
import io.anser.protocol.body.GroupRetryPolicy;
import io.anser.protocol.body.Perm;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.message.DelayLevels;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageLayout;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.Names;
import io.anser.protocol.message.OffsetMessageId;
import io.anser.protocol.message.PropertyNames;
import io.anser.protocol.message.WireHost;
import java.nio.ByteBuffer;
import java.util.List;

/** What happens to a message that a group consumed in vain: another try later, or the dead letters. */
public final class RetryRule {
    // A message that was put off when it was sent still says so when it has failed.
    private static final String[] DELAYS = {
        PropertyNames.DELAY, PropertyNames.TIMER_DELAY_SEC, PropertyNames.TIMER_DELAY_MS, PropertyNames.TIMER_DELIVER_MS
    };

    /** A wait grows no more after as many tries; those of Apache RocketMQ's policy do not either. */
    private static final int MOST_GROWN = 32;

    private RetryRule() {}

    /**
     * Says whether no further try is due.
     *
     * @param reconsumeTimes how often the message was consumed again so far
     * @param askedMax the client's limit; negative: the group's own counts, which sets none if it is negative too
     */
    public static boolean isExhausted(int reconsumeTimes, int askedMax, SubscriptionGroupConfig group) {
        int max = askedMax < 0 ? group.retryMaxTimes() : askedMax;
        return max >= 0 && reconsumeTimes >= max;
    }

    /** Returns the delay level of the next try: the client's if it chose one, else a longer one with each try. */
    public static int delayLevel(int askedLevel, int reconsumeTimes) {
        return askedLevel > 0 ? DelayLevels.clamp(askedLevel) : DelayLevels.retryLevel(reconsumeTimes);
    }

    /**
     * Returns how long a message waits for its next try by a policy of the group's own.
     *
     * @param policy not the standard one, which goes by {@linkplain #delayLevel levels}
     * @param reconsumeTimes how often the message was consumed again so far
     * @return milliseconds; 0: it is tried at once
     */
    public static long delayMillis(GroupRetryPolicy policy, int reconsumeTimes) {
        int tries = Math.max(0, reconsumeTimes);
        if (policy.type() == GroupRetryPolicy.Type.CUSTOMIZED) {
            List<Long> waits = policy.next();
            int step = Math.min(tries, waits.size()) + DelayLevels.FIRST_RETRY - 1;
            return waits.get(Math.min(step, waits.size() - 1));
        }
        GroupRetryPolicy.Exponential waits = policy.exponential().orElseThrow();
        // In floating point, so that nothing overflows: whatever is longer than the longest wait is cut to it.
        double factor = Math.pow((double) waits.multiplier(), Math.min(tries, MOST_GROWN));
        return (long) Math.min((double) waits.max(), (double) waits.initial() * factor);
    }

    /** Returns the configuration of the group's retry topic. */
    public static TopicConfig retryTopic(SubscriptionGroupConfig group) {
        return topic(Names.retryTopic(group.groupName()), Math.max(1, group.retryQueueNums()));
    }

    /** Returns the configuration of the topic of the group's dead letters. */
    public static TopicConfig deadLetterTopic(String group) {
        return topic(Names.dlqTopic(group), 1);
    }

    /** Returns the configuration of the topic of messages that a group has popped in vain from a topic. */
    public static TopicConfig popRetryTopic(String group, String topic) {
        return topic(Names.popRetryTopic(group, topic), 1);
    }

    /** Returns the properties of a message that failed with its first topic and id, which later copies keep. */
    public static byte[] marked(MessageView original) {
        byte[] properties = MessageProperties.without(original.properties(), PropertyNames.DELAY);
        if (original.findProperty(PropertyNames.RETRY_TOPIC) == MessageProperties.ABSENT) {
            properties = withIfRoom(properties, PropertyNames.RETRY_TOPIC, original.topic());
        }
        if (original.findProperty(PropertyNames.ORIGIN_MESSAGE_ID) == MessageProperties.ABSENT) {
            String id = new OffsetMessageId(original.storeHost(), original.physicalOffset()).encode();
            properties = withIfRoom(properties, PropertyNames.ORIGIN_MESSAGE_ID, id);
        }
        return properties;
    }

    /**
     * Returns the copy of a message that failed, with one more try counted.
     *
     * @param body the original's bytes, not copied
     */
    public static NewMessage copy(
            MessageView original, Topic target, int queueId, WireHost storeHost, ByteBuffer body, byte[] properties) {
        MessageHeader header = new MessageHeader(
                queueId,
                original.flag(),
                original.sysFlag(),
                original.bornTimestamp(),
                original.bornHost(),
                storeHost,
                original.reconsumeTimes() + 1,
                0);
        return new NewMessage(target, header, body, properties);
    }

    /** Returns the properties of a message that becomes a dead letter: without delay, with where it came from. */
    public static byte[] deadLetter(byte[] properties) {
        byte[] dead = copied(withoutDelay(properties), PropertyNames.RETRY_TOPIC, PropertyNames.DLQ_ORIGIN_TOPIC);
        return copied(dead, PropertyNames.ORIGIN_MESSAGE_ID, PropertyNames.DLQ_ORIGIN_MESSAGE_ID);
    }

    /** Returns properties that ask for no delay any more. */
    public static byte[] withoutDelay(byte[] properties) {
        byte[] left = properties;
        for (String delay : DELAYS) {
            left = MessageProperties.without(left, delay);
        }
        return left;
    }

    private static byte[] copied(byte[] properties, String from, String to) {
        return MessageProperties.value(properties, from)
                .map(value -> withIfRoom(properties, to, value))
                .orElse(properties);
    }

    /** Returns properties with one more, or as they are where there is no room for it in a message. */
    public static byte[] withIfRoom(byte[] properties, String name, String value) {
        byte[] more = MessageProperties.with(properties, name, value);
        return more.length <= MessageLayout.MAX_PROPERTIES_BYTES ? more : properties;
    }

    private static TopicConfig topic(String name, int queues) {
        return new TopicConfig(name, queues, queues, Perm.READ | Perm.WRITE);
    }
}
