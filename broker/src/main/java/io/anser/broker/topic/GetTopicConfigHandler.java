package io.anser.broker.topic;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.GetTopicConfig;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/** Tells the configuration of one topic (code 351). */
final class GetTopicConfigHandler implements Handler<GetTopicConfig.Request> {
    private final TopicTable topics;

    /** Makes the handler. */
    GetTopicConfigHandler(TopicTable topics) {
        this.topics = topics;
    }

    @Override
    public void handle(Call call, GetTopicConfig.Request request, ByteBuf body) {
        Optional<Topic> topic = topics.find(request.topic());
        if (topic.isPresent()) {
            Bodies.answer(call, topic.get().config());
        } else {
            call.respond(ResponseCode.TOPIC_NOT_EXIST, "topic=" + request.topic() + " does not exist");
        }
    }
}
