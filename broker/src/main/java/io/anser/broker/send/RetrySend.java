package io.anser.broker.send;

import io.anser.broker.append.RetryRule;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.operation.SendMessage;

/**
 * A send of a consumer that puts a failed message back itself: to its group's retry topic, or, when no try is left, to
 * the group's dead letters.
 *
 * @param topic the topic that must exist
 * @param request the request as it is to be carried out
 */
record RetrySend(TopicConfig topic, SendMessage.Request request) {
    /** Decides where the message goes. Pure. */
    static RetrySend of(SendMessage.Request request, SubscriptionGroupConfig group) {
        if (!RetryRule.isExhausted(request.reconsumeTimes(), request.maxReconsumeTimes(), group)) {
            return new RetrySend(RetryRule.retryTopic(group), request);
        }
        TopicConfig deadLetters = RetryRule.deadLetterTopic(group.groupName());
        return new RetrySend(deadLetters, redirected(request, deadLetters.topicName()));
    }

    private static SendMessage.Request redirected(SendMessage.Request request, String topic) {
        return new SendMessage.Request(
                request.producerGroup(),
                topic,
                request.defaultTopic(),
                request.defaultTopicQueueNums(),
                0,
                request.sysFlag(),
                request.bornTimestamp(),
                request.flag(),
                RetryRule.deadLetter(request.properties()),
                request.reconsumeTimes(),
                request.unitMode(),
                request.batch(),
                request.maxReconsumeTimes());
    }
}
