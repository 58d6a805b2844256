package io.anser.broker.topic;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.body.Perm;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.NameProblem;
import io.anser.protocol.message.Names;
import java.util.Optional;

/** What a topic that somebody asks for may look like, and whether there is room for it. */
final class TopicRules {
    /** Most queues of one topic. */
    static final int MAX_QUEUES = 1024;

    /** Most topics of a broker. */
    static final int MAX_TOPICS = 100_000;

    private static final int ALL_PERMS = Perm.READ | Perm.WRITE | Perm.INHERIT;

    private final TopicTable topics;

    TopicRules(TopicTable topics) {
        this.topics = topics;
    }

    /** Says what is wrong with the topic, naming the field and the limit. */
    Optional<Refusal> refusal(TopicConfig config) {
        String topic = config.topicName();
        Optional<NameProblem> problem = Names.checkTopic(topic);
        if (problem.isPresent()) {
            return problem.map(found -> Refusal.illegal(found.text()));
        }
        if (Names.isSystemTopic(topic)) {
            return invalid("topic=" + topic + " is kept by the broker for itself");
        }
        if (Names.isLightQueue(topic)) {
            return invalid("topic=" + topic + " is a light queue, which is there when it is named and has no settings");
        }
        if (isNoQueueCount(config.readQueueNums())) {
            return invalid("readQueueNums=" + config.readQueueNums() + " allowed=1.." + MAX_QUEUES);
        }
        if (isNoQueueCount(config.writeQueueNums())) {
            return invalid("writeQueueNums=" + config.writeQueueNums() + " allowed=1.." + MAX_QUEUES);
        }
        if ((config.perm() & ~ALL_PERMS) != 0) {
            return invalid("perm=" + config.perm() + " allowed=0.." + ALL_PERMS);
        }
        if (topics.size() >= MAX_TOPICS && topics.find(topic).isEmpty()) {
            return invalid("topics=" + topics.size() + " limit=" + MAX_TOPICS);
        }
        return LiteTopics.refusal(config.attributes());
    }

    private static boolean isNoQueueCount(int queues) {
        return queues < 1 || queues > MAX_QUEUES;
    }

    private static Optional<Refusal> invalid(String remark) {
        return Optional.of(new Refusal(ResponseCode.INVALID_PARAMETER, remark));
    }
}
