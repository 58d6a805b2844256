package io.anser.broker.topic;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.AnswerWhenSaved;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.TopicCreation;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.body.TopicConfigList;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.List;
import java.util.Optional;

/**
 * Creates topics or changes their configurations, all of them or none (code 18). Answers when the name servers have been
 * told.
 */
final class CreateTopicListHandler implements Handler<FieldSource> {
    private final TopicTable topics;
    private final TopicRules rules;
    private final TopicCreation creation;

    /** Makes the handler. */
    CreateTopicListHandler(TopicTable topics, TopicCreation creation) {
        this.topics = topics;
        this.rules = new TopicRules(topics);
        this.creation = creation;
    }

    @Override
    public void handle(Call call, FieldSource request, ByteBuf body) {
        List<TopicConfig> asked =
                TopicConfigList.read(ByteBufUtil.getBytes(body)).topicConfigList();
        if (asked.isEmpty() || asked.size() > Proposals.MAX_CHANGES) {
            new Refusal(
                            ResponseCode.INVALID_PARAMETER,
                            "topicConfigList has " + asked.size() + " topics, allowed=1.." + Proposals.MAX_CHANGES)
                    .answer(call);
            return;
        }
        List<TopicConfig> configs = asked.stream().map(this::withAllAttributes).toList();
        Optional<Refusal> refusal = refusal(configs);
        if (refusal.isPresent()) {
            refusal.get().answer(call);
        } else {
            creation.saveAll(configs, new AnswerWhenSaved(call));
        }
    }

    private Optional<Refusal> refusal(List<TopicConfig> configs) {
        for (TopicConfig config : configs) {
            Optional<Refusal> refusal = rules.refusal(config);
            if (refusal.isPresent()) {
                return refusal.map(
                        found -> new Refusal(found.code(), "topic=" + config.topicName() + ": " + found.remark()));
            }
        }
        return Optional.empty();
    }

    private TopicConfig withAllAttributes(TopicConfig config) {
        return new TopicConfig(
                config.topicName(),
                config.readQueueNums(),
                config.writeQueueNums(),
                config.perm(),
                config.topicFilterType(),
                config.topicSysFlag(),
                config.order(),
                TopicAttributes.changed(topics.find(config.topicName()), config.attributes()));
    }
}
