package io.anser.broker.group;

import io.anser.broker.group.ConnectedClient.Kind;
import io.anser.broker.group.ConnectedClient.Membership;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.UnregisterClient;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;

/** Takes a client out of its groups when it says goodbye (operation 35). */
public final class UnregisterClientHandler implements Handler<UnregisterClient.Request> {
    private final Clients clients;

    /** Makes the handler of one broker. */
    public UnregisterClientHandler(Clients clients) {
        this.clients = clients;
    }

    @Override
    public void handle(Call call, UnregisterClient.Request request, ByteBuf body) {
        ConnectedClient client = ConnectedClient.of(call.connection());
        if (!request.producerGroup().isEmpty()) {
            clients.leave(client, new Membership(Kind.PRODUCER, request.producerGroup(), request.clientID()));
        }
        if (!request.consumerGroup().isEmpty()) {
            clients.leave(client, new Membership(Kind.CONSUMER, request.consumerGroup(), request.clientID()));
        }
        call.respond(FieldSource.NONE);
    }
}
