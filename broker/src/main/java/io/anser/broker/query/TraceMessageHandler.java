package io.anser.broker.query;

import io.anser.broker.append.StoredMessages;
import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.BrokerState;
import io.anser.protocol.body.MessageTrail;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.TraceMessage;
import io.anser.store.file.StoreException;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Tells what became of a message (operation 30001): what the broker itself knows, and what clients reported. Runs on a worker;
 * see {@link LookUps}.
 */
final class TraceMessageHandler implements Handler<TraceMessage.Request> {
    private final LookUps lookUps;
    private final MessageTrails trails;

    /**
     * Makes the handler of one broker.
     *
     * @param stored the messages that consumers could read
     * @param groupsOfTopic the groups that consume a topic, in order
     */
    TraceMessageHandler(
            LookUps lookUps,
            BrokerState state,
            StoredMessages stored,
            KeyedMessages keyed,
            Function<String, Set<String>> groupsOfTopic) {
        this.lookUps = lookUps;
        this.trails = new MessageTrails(state, stored, keyed, groupsOfTopic);
    }

    @Override
    public void handle(Call call, TraceMessage.Request request, ByteBuf body) {
        Optional<MessageTrail> trail;
        try {
            trail = lookUps.atWork(() -> trails.of(request.topic(), request.id()));
        } catch (StoreException e) {
            Refusal.of(e).answer(call);
            return;
        }
        if (trail.isEmpty()) {
            LookUps.busy().answer(call);
        } else if (trail.get().copies().isEmpty()) {
            String where = request.topic().isEmpty()
                    ? "no message has this offset id, and other ids need the topic"
                    : "no message with this id or key in topic=" + request.topic();
            call.respond(ResponseCode.QUERY_NOT_FOUND, where);
        } else {
            byte[] json = trail.get().write();
            call.respond(ResponseCode.SUCCESS, null, FieldSource.NONE, Unpooled.wrappedBuffer(json));
        }
    }
}
