package io.anser.broker.group;

import io.anser.protocol.body.ConsumerIdList;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.GetConsumerListByGroup;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;

/** Lists the consumers of a group, from which each works out its own share of the queues (operation 38). */
public final class GetConsumerListByGroupHandler implements Handler<GetConsumerListByGroup.Request> {
    private final ConsumerGroups consumers;

    /** Makes the handler of one broker. */
    public GetConsumerListByGroupHandler(ConsumerGroups consumers) {
        this.consumers = consumers;
    }

    @Override
    public void handle(Call call, GetConsumerListByGroup.Request request, ByteBuf body) {
        List<String> clientIds = consumers.clientIds(request.consumerGroup());
        if (clientIds.isEmpty()) {
            call.respond(ResponseCode.SYSTEM_ERROR, "no consumer for this group, " + request.consumerGroup());
            return;
        }
        byte[] json = new ConsumerIdList(clientIds).write();
        call.respond(ResponseCode.SUCCESS, null, FieldSource.NONE, Unpooled.wrappedBuffer(json));
    }
}
