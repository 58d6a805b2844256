package io.anser.broker.group;

import io.anser.broker.filter.BadExpressionException;
import io.anser.broker.filter.Filters;
import io.anser.protocol.body.CheckClientConfigBody;
import io.anser.protocol.body.SubscriptionData;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/** Says whether a subscription can be served, before the consumer starts (operation 46). */
public final class CheckClientConfigHandler implements Handler<FieldSource> {
    private final Filters filters;

    /** Makes the handler of one broker. */
    public CheckClientConfigHandler(Filters filters) {
        this.filters = filters;
    }

    @Override
    public void handle(Call call, FieldSource request, ByteBuf body) {
        SubscriptionData subscription =
                CheckClientConfigBody.read(ByteBufUtil.getBytes(body)).subscriptionData();
        try {
            filters.of(subscription.expressionType(), subscription.subString());
            call.respond(FieldSource.NONE);
        } catch (BadExpressionException bad) {
            call.respond(ResponseCode.SUBSCRIPTION_PARSE_FAILED, bad.reason());
        }
    }
}
