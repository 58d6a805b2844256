package io.anser.broker.pop;

import io.anser.broker.dispatch.Refusal;
import io.anser.protocol.operation.PollingInfo;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/** Says how many pops of a group wait for messages of a topic (operation 200055). */
final class PollingInfoHandler implements Handler<PollingInfo.Request> {
    private final PopRules rules;
    private final PopTopics topics;

    PollingInfoHandler(PopRules rules, PopTopics topics) {
        this.rules = rules;
        this.topics = topics;
    }

    @Override
    public void handle(Call call, PollingInfo.Request request, ByteBuf body) {
        Optional<Refusal> refusal = rules.refusal(request.consumerGroup(), request.topic(), request.queueId());
        if (refusal.isPresent()) {
            refusal.get().answer(call);
            return;
        }
        int waiting = topics.known(request.consumerGroup(), request.topic())
                .map(topic -> waiting(topic.line(), request.queueId()))
                .orElse(0);
        call.respond(new PollingInfo.Response(waiting));
    }

    private static int waiting(WaitLine line, int queueId) {
        return queueId == PopWish.ANY_QUEUE ? line.size() : line.size(queueId);
    }
}
