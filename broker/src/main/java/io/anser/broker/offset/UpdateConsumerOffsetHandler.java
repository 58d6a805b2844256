package io.anser.broker.offset;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.GroupCreation;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.RequestStep;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.UpdateConsumerOffset;
import io.anser.store.queue.QueueLog;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/**
 * Takes a consumer's offset (operation 15). A two-way commit is answered when it is committed; a one-way commit is merged
 * with what comes soon after.
 */
final class UpdateConsumerOffsetHandler implements Handler<UpdateConsumerOffset.Request> {
    private static final Refusal TOO_MUCH_PENDING =
            new Refusal(ResponseCode.SYSTEM_BUSY, "too many offset commits are waiting for the log, try again");

    private final QueueLookup queues;
    private final GroupCreation groups;
    private final OffsetCommits commits;

    /** Makes the handler of one broker. */
    UpdateConsumerOffsetHandler(TopicTable topics, GroupCreation groups, OffsetCommits commits) {
        this.queues = new QueueLookup(topics);
        this.groups = groups;
        this.commits = commits;
    }

    @Override
    public void handle(Call call, UpdateConsumerOffset.Request request, ByteBuf body) {
        Optional<Refusal> refusal =
                queues.refusal(request.topic(), request.queueId()).or(() -> groups.refusal(request.consumerGroup()));
        if (refusal.isPresent()) {
            refusal.get().answer(call);
            return;
        }
        QueueLog queue = queues.queue(request.topic(), request.queueId());
        long max = queue.maxOffset();
        if (request.commitOffset() < 0 || request.commitOffset() > max) {
            call.respond(
                    ResponseCode.SYSTEM_ERROR,
                    "commitOffset=" + request.commitOffset() + " is not in [0," + max + "] of topic=" + request.topic()
                            + " queueId=" + request.queueId());
            return;
        }
        // The group comes first: an offset of a group that nobody can list would stay for ever.
        groups.ensure(request.consumerGroup(), new RequestStep(call) {
            @Override
            protected void goOn() {
                commit(call, request, queue);
            }
        });
    }

    private void commit(Call call, UpdateConsumerOffset.Request request, QueueLog checked) {
        QueueKey queue = new QueueKey(request.consumerGroup(), request.topic(), request.queueId());
        boolean accepted;
        if (call.oneWay()) {
            accepted = commits.commit(queue, checked, request.commitOffset());
            if (accepted) {
                call.respond(FieldSource.NONE);
            }
        } else {
            accepted = commits.commit(queue, checked, request.commitOffset(), new RequestStep(call) {
                @Override
                protected void goOn() {
                    call.respond(FieldSource.NONE);
                }
            });
        }
        if (!accepted) {
            TOO_MUCH_PENDING.answer(call);
        }
    }
}
