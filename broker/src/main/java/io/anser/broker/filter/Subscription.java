package io.anser.broker.filter;

import io.anser.protocol.body.SubscriptionData;

/**
 * What one consumer wants of one topic.
 *
 * @param topic the topic's name
 * @param expressionType {@code TAG}, {@code SQL92}, or empty for {@code TAG}
 * @param expression the text as the client wrote it
 * @param version grows with every change that the client makes; milliseconds since 1970 by custom
 */
public record Subscription(String topic, String expressionType, String expression, long version) {
    /** Returns the wish alone: equal for two subscriptions that ask for the same messages. */
    public Subscription withoutVersion() {
        String type = Filters.normalType(expressionType);
        return new Subscription(
                topic, type, type.equals(SubscriptionData.TAG) ? TagFilter.normal(expression) : expression, 0);
    }
}
