package io.anser.broker.offset;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.operation.GetMinOffset;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/** Tells the first readable offset of a queue (operation 31). */
final class GetMinOffsetHandler implements Handler<GetMinOffset.Request> {
    private final QueueLookup queues;

    /** Makes the handler of one broker. */
    GetMinOffsetHandler(TopicTable topics) {
        this.queues = new QueueLookup(topics);
    }

    @Override
    public void handle(Call call, GetMinOffset.Request request, ByteBuf body) {
        Optional<Refusal> refusal = queues.refusal(request.topic(), request.queueId());
        if (refusal.isPresent()) {
            refusal.get().answer(call);
            return;
        }
        call.respond(new GetMinOffset.Response(
                queues.queue(request.topic(), request.queueId()).minOffset()));
    }
}
