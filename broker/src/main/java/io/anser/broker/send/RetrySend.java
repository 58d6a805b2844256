package io.anser.broker.send;

import io.anser.broker.append.RetryRule;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.message.DelayLevels;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.PropertyNames;
import io.anser.protocol.operation.SendMessage;

/**
 * A send of a consumer that puts a failed message back itself: to its group's retry topic, or, when no try is left, to
 * the group's dead letters.
 *
 * <p>How often the message has failed before is not plain: most clients send the number with this failure counted, and ask for
 * the delay level that goes with it; ordered consumers of 4.x send it without this failure, and only when no try is left.
 *
 * @param topic the topic that must exist
 * @param request the request as it is to be carried out
 */
record RetrySend(TopicConfig topic, SendMessage.Request request) {
    /** Decides where the message goes. Pure. */
    static RetrySend of(SendMessage.Request request, SubscriptionGroupConfig group) {
        boolean counted = hasLevelOf(request.reconsumeTimes() - 1, request.properties());
        int tries = counted ? request.reconsumeTimes() - 1 : request.reconsumeTimes();
        if (RetryRule.isExhausted(tries, request.maxReconsumeTimes(), group)) {
            TopicConfig deadLetters = RetryRule.deadLetterTopic(group.groupName());
            return new RetrySend(
                    deadLetters, with(request, deadLetters.topicName(), 0, RetryRule.deadLetter(request.properties())));
        }
        TopicConfig retries = RetryRule.retryTopic(group);
        if (!counted || group.groupRetryPolicy().isStandard()) {
            return new RetrySend(retries, request);
        }
        long millis = RetryRule.delayMillis(group.groupRetryPolicy(), tries);
        return new RetrySend(
                retries, with(request, request.topic(), request.queueId(), waiting(request.properties(), millis)));
    }

    /** Whether the message asks for the delay level of the retry after as many failures, as clients do by themselves. */
    private static boolean hasLevelOf(int failures, byte[] properties) {
        return MessageProperties.value(properties, PropertyNames.DELAY)
                .filter(level -> level.equals(Integer.toString(DelayLevels.FIRST_RETRY + failures)))
                .isPresent();
    }

    private static byte[] waiting(byte[] properties, long millis) {
        byte[] plain = RetryRule.withoutDelay(properties);
        return millis == 0 ? plain : MessageProperties.with(plain, PropertyNames.TIMER_DELAY_MS, Long.toString(millis));
    }

    private static SendMessage.Request with(SendMessage.Request request, String topic, int queueId, byte[] properties) {
        return new SendMessage.Request(
                request.producerGroup(),
                topic,
                request.defaultTopic(),
                request.defaultTopicQueueNums(),
                queueId,
                request.sysFlag(),
                request.bornTimestamp(),
                request.flag(),
                properties,
                request.reconsumeTimes(),
                request.unitMode(),
                request.batch(),
                request.maxReconsumeTimes());
    }
}
