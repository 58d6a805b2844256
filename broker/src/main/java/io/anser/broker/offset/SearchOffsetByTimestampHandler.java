package io.anser.broker.offset;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.operation.SearchOffsetByTimestamp;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.TimeBoundary;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/** Finds the message of a queue that was stored at a time (operation 29). Runs on a worker: it may read cold messages. */
final class SearchOffsetByTimestampHandler implements Handler<SearchOffsetByTimestamp.Request> {
    private final QueueLookup queues;

    /** Makes the handler of one broker. */
    SearchOffsetByTimestampHandler(TopicTable topics) {
        this.queues = new QueueLookup(topics);
    }

    @Override
    public void handle(Call call, SearchOffsetByTimestamp.Request request, ByteBuf body) {
        Optional<Refusal> refusal = queues.refusal(request.topic(), request.queueId());
        if (refusal.isPresent()) {
            refusal.get().answer(call);
            return;
        }
        QueueLog queue = queues.queue(request.topic(), request.queueId());
        TimeBoundary boundary = switch (request.boundary()) {
            case LOWER -> TimeBoundary.LOWER;
            case UPPER -> TimeBoundary.UPPER;
        };
        call.respond(new SearchOffsetByTimestamp.Response(queue.offsetByTime(request.timestamp(), boundary)));
    }
}
