package io.anser.broker.offset;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.operation.GetMaxOffset;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/** Tells the offset after the last readable message of a queue (operation 30). */
final class GetMaxOffsetHandler implements Handler<GetMaxOffset.Request> {
    private final QueueLookup queues;

    /** Makes the handler of one broker. */
    GetMaxOffsetHandler(TopicTable topics) {
        this.queues = new QueueLookup(topics);
    }

    @Override
    public void handle(Call call, GetMaxOffset.Request request, ByteBuf body) {
        Optional<Refusal> refusal = queues.refusal(request.topic(), request.queueId());
        if (refusal.isPresent()) {
            refusal.get().answer(call);
            return;
        }
        call.respond(new GetMaxOffset.Response(
                queues.queue(request.topic(), request.queueId()).maxOffset()));
    }
}
