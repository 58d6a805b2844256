package io.anser.broker.topic;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.AnswerWhenSaved;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicCreation;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.body.TopicFilterType;
import io.anser.protocol.operation.CreateTopic;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/** Creates a topic or changes its configuration (code 17). Answers when the name servers have been told. */
final class CreateTopicHandler implements Handler<CreateTopic.Request> {
    private final TopicTable topics;
    private final TopicRules rules;
    private final TopicCreation creation;

    /** Makes the handler. */
    CreateTopicHandler(TopicTable topics, TopicCreation creation) {
        this.topics = topics;
        this.rules = new TopicRules(topics);
        this.creation = creation;
    }

    @Override
    public void handle(Call call, CreateTopic.Request request, ByteBuf body) {
        TopicConfig config = config(request);
        Optional<Refusal> refusal = rules.refusal(config);
        if (refusal.isPresent()) {
            refusal.get().answer(call);
        } else {
            creation.save(config, new AnswerWhenSaved(call));
        }
    }

    private TopicConfig config(CreateTopic.Request request) {
        Optional<Topic> known = topics.find(request.topic());
        return new TopicConfig(
                request.topic(),
                request.readQueueNums(),
                request.writeQueueNums(),
                request.perm(),
                request.topicFilterType().equals(TopicFilterType.MULTI_TAG.name())
                        ? TopicFilterType.MULTI_TAG
                        : TopicFilterType.SINGLE_TAG,
                request.topicSysFlag(),
                request.order(),
                TopicAttributes.changed(known, request.attributes()));
    }
}
