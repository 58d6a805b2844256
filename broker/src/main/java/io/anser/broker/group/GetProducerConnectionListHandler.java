package io.anser.broker.group;

import io.anser.broker.dispatch.Bodies;
import io.anser.protocol.body.ClientConnection;
import io.anser.protocol.body.ProducerConnection;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.GetProducerConnectionList;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** Lists the producers of a group that are online (operation 204). */
public final class GetProducerConnectionListHandler implements Handler<GetProducerConnectionList.Request> {
    private final ProducerGroups producers;

    /** Makes the handler of one broker. */
    public GetProducerConnectionListHandler(ProducerGroups producers) {
        this.producers = producers;
    }

    @Override
    public void handle(Call call, GetProducerConnectionList.Request request, ByteBuf body) {
        List<ClientConnection> connections = producers.members(request.producerGroup()).stream()
                .map(producer -> ConnectionBodies.connection(producer.clientId(), producer.channel()))
                .toList();
        if (connections.isEmpty()) {
            call.respond(ResponseCode.SYSTEM_ERROR, "the producer group[" + request.producerGroup() + "] not exist");
        } else {
            Bodies.answer(call, new ProducerConnection(connections));
        }
    }
}
