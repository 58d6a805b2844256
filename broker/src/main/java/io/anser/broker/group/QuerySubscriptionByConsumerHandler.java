package io.anser.broker.group;

import io.anser.broker.dispatch.Bodies;
import io.anser.protocol.body.QueriedSubscription;
import io.anser.protocol.operation.QuerySubscriptionByConsumer;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;

/** Tells what a consumer group that is online wants of a topic (operation 345). */
public final class QuerySubscriptionByConsumerHandler implements Handler<QuerySubscriptionByConsumer.Request> {
    private final ConsumerGroups consumers;

    /** Makes the handler of one broker. */
    public QuerySubscriptionByConsumerHandler(ConsumerGroups consumers) {
        this.consumers = consumers;
    }

    @Override
    public void handle(Call call, QuerySubscriptionByConsumer.Request request, ByteBuf body) {
        Bodies.answer(
                call,
                new QueriedSubscription(
                        consumers
                                .newestSubscription(request.group(), request.topic())
                                .map(ConnectionBodies::subscription),
                        request.group(),
                        request.topic()));
    }
}
