package io.anser.broker.pop;

import io.anser.broker.metadata.LeaseId;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.RequestStep;
import io.anser.broker.pop.Acks.Done;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.AckMessage;
import io.anser.protocol.operation.PopHandle;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/** Takes the acknowledgement of a popped message (operation 200051); it is answered when it is committed. */
final class AckMessageHandler implements Handler<AckMessage.Request> {
    private final Acks acks;

    AckMessageHandler(Acks acks) {
        this.acks = acks;
    }

    @Override
    public void handle(Call call, AckMessage.Request request, ByteBuf body) {
        Optional<PopHandle> handle = PopHandle.parse(request.extraInfo());
        if (handle.isEmpty() || handle.get().queueId() != request.queueId()) {
            call.respond(
                    ResponseCode.INVALID_PARAMETER,
                    "extraInfo=" + request.extraInfo() + " is no handle of queueId=" + request.queueId());
            return;
        }
        Done done = done(request.consumerGroup(), request.topic(), handle.get(), request.offset());
        switch (acks.ack(done, call.connection().executor(), answer(call))) {
            case TAKEN, TAKEN_IN_PART -> {}
            case REPEATED -> call.respond(FieldSource.NONE);
            case TOO_LATE ->
                call.respond(
                        ResponseCode.NO_MESSAGE,
                        "the lease of topic=" + done.queue().topic() + " queueId=" + request.queueId() + " offset="
                                + request.offset() + " is over or has another handle");
        }
    }

    private static Done done(String group, String topic, PopHandle handle, long offset) {
        return new Done(
                new QueueKey(group, PopTopics.storedTopic(group, topic, handle.mark()), handle.queueId()),
                new LeaseId(handle.start(), handle.popTime()),
                handle.popTime() + handle.invisibleTime(),
                new long[] {offset});
    }

    private static RequestStep answer(Call call) {
        return new RequestStep(call) {
            @Override
            protected void goOn() {
                call.respond(FieldSource.NONE);
            }
        };
    }
}
