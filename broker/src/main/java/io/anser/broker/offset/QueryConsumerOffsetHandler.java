package io.anser.broker.offset;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.OffsetTable;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.QueryConsumerOffset;
import io.anser.store.queue.QueueLog;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/**
 * Tells a consumer where to go on (operation 14).
 *
 * <p>Where the group has committed nothing, the answer is 0 for a young queue, one whose first message is still near the
 * end of the log, and "not found" for an old one: the client then decides by its own rule. So a new group on a young queue
 * misses nothing whatever its rule says. Clients rely on this.
 */
public final class QueryConsumerOffsetHandler implements Handler<QueryConsumerOffset.Request> {
    private final QueueLookup queues;
    private final OffsetCommits commits;
    private final QueueAge age;

    /** Makes the handler of one broker. */
    public QueryConsumerOffsetHandler(TopicTable topics, OffsetCommits commits, QueueAge age) {
        this.queues = new QueueLookup(topics);
        this.commits = commits;
        this.age = age;
    }

    @Override
    public void handle(Call call, QueryConsumerOffset.Request request, ByteBuf body) {
        Optional<Refusal> refusal = queues.refusal(request.topic(), request.queueId());
        if (refusal.isPresent()) {
            refusal.get().answer(call);
            return;
        }
        long current = commits.current(new QueueKey(request.consumerGroup(), request.topic(), request.queueId()));
        if (current != OffsetTable.NONE) {
            call.respond(new QueryConsumerOffset.Response(current));
            return;
        }
        QueueLog queue = queues.queue(request.topic(), request.queueId());
        if (request.setZeroIfNotFound() && age.isYoung(queue)) {
            call.respond(new QueryConsumerOffset.Response(0));
        } else {
            call.respond(
                    ResponseCode.QUERY_NOT_FOUND,
                    "consumerGroup=" + request.consumerGroup() + " has no offset for topic=" + request.topic()
                            + " queueId=" + request.queueId());
        }
    }
}
