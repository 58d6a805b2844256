package io.anser.broker.group;

import io.anser.protocol.operation.GetConsumerRunningInfo;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Asks a member of a consumer group what goes on inside it, and passes its answer on (operation 307). */
public final class GetConsumerRunningInfoHandler implements Handler<GetConsumerRunningInfo.Request> {
    private final ClientRelay relay;

    /** Makes the handler of one broker. */
    public GetConsumerRunningInfoHandler(ConsumerGroups consumers) {
        this.relay = new ClientRelay(consumers);
    }

    @Override
    public void handle(Call call, GetConsumerRunningInfo.Request request, ByteBuf body) {
        relay.ask(
                call,
                request.consumerGroup(),
                request.clientId(),
                GetConsumerRunningInfo.CODE,
                request,
                Unpooled.EMPTY_BUFFER);
    }
}
