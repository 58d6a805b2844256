package io.anser.broker.topic;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.AnswerWhenSaved;
import io.anser.broker.metadata.Deletion;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.NameProblem;
import io.anser.protocol.message.Names;
import io.anser.protocol.operation.DeleteSubscriptionGroup;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/**
 * Deletes a consumer group (code 207). Its retry and dead-letter topics stay, with what is in them: tools that want them
 * gone delete them as topics. A group that is not there is deleted all the same, as its offsets may be.
 */
final class DeleteSubscriptionGroupHandler implements Handler<DeleteSubscriptionGroup.Request> {
    private final Deletion deletion;

    /** Makes the handler. */
    DeleteSubscriptionGroupHandler(Deletion deletion) {
        this.deletion = deletion;
    }

    @Override
    public void handle(Call call, DeleteSubscriptionGroup.Request request, ByteBuf body) {
        String group = request.groupName();
        Optional<NameProblem> problem = Names.checkGroup(group);
        if (problem.isPresent()) {
            Refusal.illegal(problem.get().text()).answer(call);
        } else if (Names.isSystemGroup(group)) {
            new Refusal(ResponseCode.INVALID_PARAMETER, "group=" + group + " is kept by the broker for itself")
                    .answer(call);
        } else {
            deletion.group(group, request.cleanOffset(), new AnswerWhenSaved(call));
        }
    }
}
