package io.anser.broker.offset;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.operation.GetEarliestMessageStoreTime;
import io.anser.store.MessageStore;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/** Tells when the oldest message of a queue was stored (operation 32). Runs on a worker: that message may be cold. */
final class GetEarliestMessageStoreTimeHandler implements Handler<GetEarliestMessageStoreTime.Request> {
    private static final long NO_MESSAGE = -1;

    private final QueueLookup queues;
    private final MessageStore store;

    /** Makes the handler of one broker. */
    GetEarliestMessageStoreTimeHandler(TopicTable topics, MessageStore store) {
        this.queues = new QueueLookup(topics);
        this.store = store;
    }

    @Override
    public void handle(Call call, GetEarliestMessageStoreTime.Request request, ByteBuf body) {
        Optional<Refusal> refusal = queues.refusal(request.topic(), request.queueId());
        if (refusal.isPresent()) {
            refusal.get().answer(call);
            return;
        }
        QueueLog queue = queues.queue(request.topic(), request.queueId());
        call.respond(new GetEarliestMessageStoreTime.Response(earliest(queue)));
    }

    private long earliest(QueueLog queue) {
        QueueCursor cursor = new QueueCursor();
        boolean there = cursor.seek(queue, queue.minOffset());
        while (there && !store.isSound(cursor.position(), cursor.size())) {
            there = cursor.next(); // the message is lost
        }
        // Retention may take the message in between; the next one asked for is younger.
        return there
                ? store.message(cursor.position())
                        .map(message -> new MessageView().wrap(message, 0).storeTimestamp())
                        .orElse(NO_MESSAGE)
                : NO_MESSAGE;
    }
}
