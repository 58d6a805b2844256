package io.anser.broker.topic;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.ReadingForbidden;
import io.anser.broker.metadata.RequestStep;
import io.anser.protocol.body.GroupForbidden;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.UpdateAndGetGroupForbidden;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/** Says whether a group may read a topic, or tells it (code 353). */
final class UpdateAndGetGroupForbiddenHandler implements Handler<UpdateAndGetGroupForbidden.Request> {
    private final BrokerState state;
    private final Proposals proposals;

    UpdateAndGetGroupForbiddenHandler(BrokerState state, Proposals proposals) {
        this.state = state;
        this.proposals = proposals;
    }

    @Override
    public void handle(Call call, UpdateAndGetGroupForbidden.Request request, ByteBuf body) {
        Optional<Refusal> refusal = refusal(request);
        if (refusal.isPresent()) {
            refusal.get().answer(call);
        } else if (request.readable().isEmpty()) {
            answer(call, request);
        } else {
            boolean forbidden = request.readable().equals("false");
            proposals.propose(new ReadingForbidden(request.group(), request.topic(), forbidden), new RequestStep(call) {
                @Override
                protected void goOn() {
                    answer(call, request);
                }
            });
        }
    }

    private Optional<Refusal> refusal(UpdateAndGetGroupForbidden.Request request) {
        if (state.groups().find(request.group()).isEmpty()) {
            return Optional.of(new Refusal(
                    ResponseCode.SUBSCRIPTION_GROUP_NOT_EXIST, "group=" + request.group() + " does not exist"));
        }
        if (state.topics().find(request.topic()).isEmpty()) {
            return Optional.of(
                    new Refusal(ResponseCode.TOPIC_NOT_EXIST, "topic=" + request.topic() + " does not exist"));
        }
        String readable = request.readable();
        return readable.isEmpty() || readable.equals("true") || readable.equals("false")
                ? Optional.empty()
                : Optional.of(new Refusal(ResponseCode.INVALID_PARAMETER, "readable is neither true nor false"));
    }

    private void answer(Call call, UpdateAndGetGroupForbidden.Request request) {
        boolean readable = !state.forbidden().forbids(request.group(), request.topic());
        Bodies.answer(call, new GroupForbidden(request.topic(), request.group(), readable));
    }
}
