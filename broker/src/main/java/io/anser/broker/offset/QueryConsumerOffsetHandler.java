package io.anser.broker.offset;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.OffsetTable;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.StartingPoints;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.QueryConsumerOffset;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/**
 * Tells a consumer where to go on (operation 14).
 *
 * <p>Where the group has committed nothing, the answer is where it starts ({@link StartingPoints}), or "not found" if the
 * client is to decide, as it is for a group that starts at a time of its choice.
 */
final class QueryConsumerOffsetHandler implements Handler<QueryConsumerOffset.Request> {
    private final QueueLookup queues;
    private final OffsetCommits commits;
    private final StartingPoints starts;

    /** Makes the handler of one broker. */
    QueryConsumerOffsetHandler(TopicTable topics, OffsetCommits commits, StartingPoints starts) {
        this.queues = new QueueLookup(topics);
        this.commits = commits;
        this.starts = starts;
    }

    @Override
    public void handle(Call call, QueryConsumerOffset.Request request, ByteBuf body) {
        Optional<Refusal> refusal = queues.refusal(request.topic(), request.queueId());
        if (refusal.isPresent()) {
            refusal.get().answer(call);
            return;
        }
        QueueKey key = new QueueKey(request.consumerGroup(), request.topic(), request.queueId());
        long offset = commits.current(key);
        if (offset == OffsetTable.NONE && request.setZeroIfNotFound()) {
            offset = starts.offset(key, queues.queue(request.topic(), request.queueId()));
        }
        if (offset != OffsetTable.NONE) {
            call.respond(new QueryConsumerOffset.Response(offset));
        } else {
            call.respond(
                    ResponseCode.QUERY_NOT_FOUND,
                    "consumerGroup=" + request.consumerGroup() + " has no offset for topic=" + request.topic()
                            + " queueId=" + request.queueId());
        }
    }
}
