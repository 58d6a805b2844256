package io.anser.broker.retry;

import io.anser.broker.append.NewMessage;
import io.anser.broker.append.Postponement;
import io.anser.broker.append.RetryRule;
import io.anser.broker.metadata.Topic;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.PropertyNames;
import io.anser.protocol.message.WireHost;
import io.anser.protocol.operation.ConsumerSendMessageBack;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What becomes of one message that was sent back. Pure.
 *
 * @param topic the topic that the copy goes to
 * @param delayLevel level of the wait before the next try; 0: it waits for {@code delayMillis} instead
 * @param delayMillis the wait by the group's own policy; 0 for a dead letter, which waits for nothing
 * @param properties the copy's properties
 */
record RetryCopy(TopicConfig topic, int delayLevel, long delayMillis, byte[] properties) {
    /**
     * Decides.
     *
     * @param original the message that could not be consumed
     */
    static RetryCopy of(MessageView original, ConsumerSendMessageBack.Request request, SubscriptionGroupConfig group) {
        int tries = original.reconsumeTimes();
        byte[] properties = RetryRule.marked(original);
        if (request.delayLevel() < 0 || RetryRule.isExhausted(tries, request.maxReconsumeTimes(), group)) {
            return new RetryCopy(RetryRule.deadLetterTopic(group.groupName()), 0, 0, RetryRule.deadLetter(properties));
        }
        // A level that the application chose for this message counts before the group's policy.
        if (request.delayLevel() == 0 && !group.groupRetryPolicy().isStandard()) {
            long millis = RetryRule.delayMillis(group.groupRetryPolicy(), tries);
            return new RetryCopy(RetryRule.retryTopic(group), 0, millis, properties);
        }
        int level = RetryRule.delayLevel(request.delayLevel(), tries);
        return new RetryCopy(
                RetryRule.retryTopic(group),
                level,
                0,
                MessageProperties.with(properties, PropertyNames.DELAY, Integer.toString(level)));
    }

    /** Returns until when the copy waits; empty: it is delivered at once. */
    Optional<Postponement> until(long nowMillis) {
        if (delayLevel > 0) {
            return Optional.of(Postponement.level(delayLevel, nowMillis));
        }
        return delayMillis > 0 ? Optional.of(Postponement.until(nowMillis + delayMillis)) : Optional.empty();
    }

    /**
     * Returns the copy as it is to be delivered.
     *
     * @param body the original's bytes, not copied
     */
    NewMessage message(MessageView original, Topic target, int queueId, WireHost storeHost, ByteBuffer body) {
        return RetryRule.copy(original, target, queueId, storeHost, body, properties);
    }
}
