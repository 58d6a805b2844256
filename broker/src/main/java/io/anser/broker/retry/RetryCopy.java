package io.anser.broker.retry;

import io.anser.broker.append.NewMessage;
import io.anser.broker.append.RetryRule;
import io.anser.broker.metadata.Topic;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.OffsetMessageId;
import io.anser.protocol.message.PropertyNames;
import io.anser.protocol.message.WireHost;
import io.anser.protocol.operation.ConsumerSendMessageBack;
import java.nio.ByteBuffer;

/**
 * What becomes of one message that was sent back. Pure.
 *
 * @param topic the topic that the copy goes to
 * @param delayLevel level of the wait before the next try; 0 for a dead letter, which waits for nothing
 * @param properties the copy's properties
 */
record RetryCopy(TopicConfig topic, int delayLevel, byte[] properties) {
    /**
     * Decides.
     *
     * @param original the message that could not be consumed
     */
    static RetryCopy of(MessageView original, ConsumerSendMessageBack.Request request, SubscriptionGroupConfig group) {
        int tries = original.reconsumeTimes();
        byte[] properties = marked(original);
        if (request.delayLevel() < 0 || RetryRule.isExhausted(tries, request.maxReconsumeTimes(), group)) {
            return new RetryCopy(RetryRule.deadLetterTopic(group.groupName()), 0, RetryRule.deadLetter(properties));
        }
        int level = RetryRule.delayLevel(request.delayLevel(), tries);
        return new RetryCopy(
                RetryRule.retryTopic(group),
                level,
                MessageProperties.with(properties, PropertyNames.DELAY, Integer.toString(level)));
    }

    /** Returns the properties with the message's first topic and id, which later copies keep. */
    private static byte[] marked(MessageView original) {
        byte[] properties = MessageProperties.without(original.properties(), PropertyNames.DELAY);
        if (original.findProperty(PropertyNames.RETRY_TOPIC) == MessageProperties.ABSENT) {
            properties = MessageProperties.with(properties, PropertyNames.RETRY_TOPIC, original.topic());
        }
        if (original.findProperty(PropertyNames.ORIGIN_MESSAGE_ID) == MessageProperties.ABSENT) {
            String id = new OffsetMessageId(original.storeHost(), original.physicalOffset()).encode();
            properties = MessageProperties.with(properties, PropertyNames.ORIGIN_MESSAGE_ID, id);
        }
        return properties;
    }

    /**
     * Returns the copy as it is to be delivered.
     *
     * @param body the original's bytes, not copied
     */
    NewMessage message(MessageView original, Topic target, int queueId, WireHost storeHost, ByteBuffer body) {
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
}
