package io.anser.broker.timer;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.RecallHandle;
import io.anser.protocol.operation.RecallMessage;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;

/** Takes delayed messages back (operation 370); see {@link Recalls} for what its answers mean. Runs on workers. */
final class RecallHandler implements Handler<RecallMessage.Request> {
    private final String brokerName;
    private final TopicTable topics;
    private final Recalls recalls;

    RecallHandler(String brokerName, TopicTable topics, Recalls recalls) {
        this.brokerName = brokerName;
        this.topics = topics;
        this.recalls = recalls;
    }

    @Override
    public void handle(Call call, RecallMessage.Request request, ByteBuf body) {
        RecallHandle handle;
        try {
            handle = RecallHandle.decode(request.recallHandle());
        } catch (MalformedMessageException e) {
            call.respond(ResponseCode.ILLEGAL_OPERATION, String.valueOf(e.getMessage()));
            return;
        }
        if (!handle.topic().equals(request.topic()) || !handle.broker().equals(brokerName)) {
            call.respond(
                    ResponseCode.ILLEGAL_OPERATION,
                    "recallHandle is of topic=" + handle.topic() + " broker=" + handle.broker() + ", asked topic="
                            + request.topic() + " broker=" + brokerName);
        } else if (topics.find(handle.topic()).isEmpty()) {
            call.respond(ResponseCode.TOPIC_NOT_EXIST, "topic=" + handle.topic() + " does not exist");
        } else {
            recalls.recall(handle, new Recalls.Asker() {
                @Override
                public void recalled() {
                    call.respond(new RecallMessage.Response(handle.uniqueId()));
                }

                @Override
                public void refused(Refusal reason) {
                    reason.answer(call);
                }

                @Override
                public void broken(Throwable thrown) {
                    call.fail(thrown);
                }
            });
        }
    }
}
