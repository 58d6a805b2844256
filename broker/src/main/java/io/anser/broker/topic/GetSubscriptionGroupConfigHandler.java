package io.anser.broker.topic;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.metadata.GroupTable;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.GetSubscriptionGroupConfig;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/** Tells the configuration of one consumer group (code 352). */
final class GetSubscriptionGroupConfigHandler implements Handler<GetSubscriptionGroupConfig.Request> {
    private final GroupTable groups;

    /** Makes the handler. */
    GetSubscriptionGroupConfigHandler(GroupTable groups) {
        this.groups = groups;
    }

    @Override
    public void handle(Call call, GetSubscriptionGroupConfig.Request request, ByteBuf body) {
        Optional<SubscriptionGroupConfig> config = groups.find(request.group());
        if (config.isPresent()) {
            Bodies.answer(call, config.get());
        } else {
            call.respond(ResponseCode.SUBSCRIPTION_GROUP_NOT_EXIST, "group=" + request.group() + " does not exist");
        }
    }
}
