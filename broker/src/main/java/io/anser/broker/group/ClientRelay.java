package io.anser.broker.group;

import io.anser.broker.dispatch.Refusal;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.transport.Call;
import io.anser.transport.Reply;
import io.anser.transport.TransportException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Optional;

/** Passes a tool's question on to a member of a consumer group, and the member's answer back to the tool. */
final class ClientRelay {
    /** How long a member may take to answer. */
    static final long ANSWER_MILLIS = 10_000;

    private final ConsumerGroups consumers;

    ClientRelay(ConsumerGroups consumers) {
        this.consumers = consumers;
    }

    /**
     * Asks a member and answers the call, now or later.
     *
     * @param body taken over
     */
    void ask(Call call, String group, String clientId, int code, FieldSource fields, ByteBuf body) {
        Optional<ConsumerMember> member = consumers.members(group).find(clientId);
        if (member.isEmpty()) {
            body.release();
            call.respond(
                    ResponseCode.CONSUMER_NOT_ONLINE,
                    "clientId=" + clientId + " of consumerGroup=" + group + " is not online");
            return;
        }
        member.get().channel().call(code, fields, body, ANSWER_MILLIS).whenComplete((reply, failure) -> {
            if (failure == null) {
                passBack(call, reply);
            } else {
                refusal(clientId, failure).answer(call);
            }
        });
    }

    private static void passBack(Call call, Reply reply) {
        call.respond(reply.code(), reply.remark().orElse(null), FieldSource.NONE, Unpooled.wrappedBuffer(reply.body()));
    }

    static Refusal refusal(String clientId, Throwable failure) {
        boolean late =
                failure instanceof TransportException transport && transport.kind() == TransportException.Kind.TIMEOUT;
        return late
                ? new Refusal(
                        ResponseCode.CONSUME_MSG_TIMEOUT,
                        "clientId=" + clientId + " has not answered within " + ANSWER_MILLIS + " ms")
                : new Refusal(
                        ResponseCode.CONSUMER_NOT_ONLINE,
                        "clientId=" + clientId + " could not be asked: " + failure.getMessage());
    }
}
