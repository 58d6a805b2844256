package io.anser.broker.topic;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.AnswerWhenSaved;
import io.anser.broker.metadata.Deletion;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.DeleteTopicInBroker;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;

/**
 * Deletes a topic with its messages (code 215). Answers when the name servers have been told. A topic that is not there is
 * as good as deleted: tools send the request to all brokers of a cluster.
 */
final class DeleteTopicHandler implements Handler<DeleteTopicInBroker.Request> {
    private final TopicTable topics;
    private final Deletion deletion;

    /** Makes the handler. */
    DeleteTopicHandler(TopicTable topics, Deletion deletion) {
        this.topics = topics;
        this.deletion = deletion;
    }

    @Override
    public void handle(Call call, DeleteTopicInBroker.Request request, ByteBuf body) {
        String topic = request.topic();
        if (topics.isKeptByBroker(topic)) {
            new Refusal(ResponseCode.INVALID_PARAMETER, "topic=" + topic + " is kept by the broker for itself")
                    .answer(call);
        } else if (topics.find(topic).isEmpty()) {
            call.respond(FieldSource.NONE);
        } else {
            deletion.topic(topic, new AnswerWhenSaved(call));
        }
    }
}
