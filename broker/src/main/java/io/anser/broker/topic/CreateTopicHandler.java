package io.anser.broker.topic;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicCreation;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.body.Perm;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.body.TopicFilterType;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.NameProblem;
import io.anser.protocol.message.Names;
import io.anser.protocol.operation.CreateTopic;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/** Creates a topic or changes its configuration (code 17). Answers when the name servers have been told. */
public final class CreateTopicHandler implements Handler<CreateTopic.Request> {
    /** Most queues of one topic. */
    static final int MAX_QUEUES = 1024;

    /** Most topics of a broker. */
    static final int MAX_TOPICS = 100_000;

    private static final int ALL_PERMS = Perm.READ | Perm.WRITE | Perm.INHERIT;

    private final TopicTable topics;
    private final TopicCreation creation;

    /** Makes the handler. */
    public CreateTopicHandler(TopicTable topics, TopicCreation creation) {
        this.topics = topics;
        this.creation = creation;
    }

    @Override
    public void handle(Call call, CreateTopic.Request request, ByteBuf body) {
        Optional<Refusal> refusal = check(request);
        if (refusal.isPresent()) {
            refusal.get().answer(call);
        } else {
            creation.save(config(request), new AnswerWhenSaved(call));
        }
    }

    private Optional<Refusal> check(CreateTopic.Request request) {
        Optional<NameProblem> problem = Names.checkTopic(request.topic());
        if (problem.isPresent()) {
            return problem.map(found -> Refusal.illegal(found.text()));
        }
        if (Names.isSystemTopic(request.topic())) {
            return invalid("topic=" + request.topic() + " is kept by the broker for itself");
        }
        if (isNoQueueCount(request.readQueueNums())) {
            return invalid("readQueueNums=" + request.readQueueNums() + " allowed=1.." + MAX_QUEUES);
        }
        if (isNoQueueCount(request.writeQueueNums())) {
            return invalid("writeQueueNums=" + request.writeQueueNums() + " allowed=1.." + MAX_QUEUES);
        }
        if ((request.perm() & ~ALL_PERMS) != 0) {
            return invalid("perm=" + request.perm() + " allowed=0.." + ALL_PERMS);
        }
        if (topics.size() >= MAX_TOPICS && topics.find(request.topic()).isEmpty()) {
            return invalid("topics=" + topics.size() + " limit=" + MAX_TOPICS);
        }
        return Optional.empty();
    }

    private static boolean isNoQueueCount(int queues) {
        return queues < 1 || queues > MAX_QUEUES;
    }

    private static Optional<Refusal> invalid(String remark) {
        return Optional.of(new Refusal(ResponseCode.INVALID_PARAMETER, remark));
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
