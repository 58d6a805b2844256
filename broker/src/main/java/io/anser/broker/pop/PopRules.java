package io.anser.broker.pop;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.GroupCreation;
import io.anser.broker.metadata.Lease;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.frame.ResponseCode;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What pops may ask for. Any thread. */
final class PopRules {
    private final TopicTable topics;
    private final GroupCreation groups;

    PopRules(TopicTable topics, GroupCreation groups) {
        this.topics = topics;
        this.groups = groups;
    }

    Optional<Refusal> refusal(String group, String topicName, int queueId) {
        Optional<Topic> topic = topics.find(topicName);
        if (topic.isEmpty()) {
            return refuse(ResponseCode.TOPIC_NOT_EXIST, "topic=" + topicName + " does not exist");
        }
        Optional<Refusal> unusable = groups.refusal(group);
        if (unusable.isPresent()) {
            return unusable;
        }
        String real = PopTopics.realTopic(group, topicName);
        if (!real.equals(topicName)) {
            // Each queue has one who decides what is popped next; this one's belongs to the pops of the topic.
            return refuse(
                    ResponseCode.INVALID_PARAMETER,
                    "topic=" + topicName + " holds what consumerGroup=" + group + " has popped of topic=" + real
                            + " in vain: pop that topic");
        }
        Optional<Refusal> unreadable = groups.readRefusal(group, topicName);
        if (unreadable.isPresent()) {
            return unreadable;
        }
        if (!topic.get().readable()) {
            return refuse(
                    ResponseCode.NO_PERMISSION,
                    "topic=" + topicName + " may not be read: perm="
                            + topic.get().config().perm());
        }
        int queues = topic.get().config().readQueueNums();
        if (queueId < PopWish.ANY_QUEUE || queueId >= queues) {
            return refuse(
                    ResponseCode.INVALID_PARAMETER,
                    "queueId=" + queueId + " is not in [-1," + queues + ") of topic=" + topicName);
        }
        return Optional.empty();
    }

    Optional<Refusal> refusal(int maxMessages, long invisibleMillis) {
        if (maxMessages < 1 || maxMessages > Lease.MAX_MESSAGES) {
            return refuse(
                    ResponseCode.INVALID_PARAMETER,
                    "maxMsgNums=" + maxMessages + " is not in [1," + Lease.MAX_MESSAGES + "]");
        }
        return refusal(invisibleMillis);
    }

    Optional<Refusal> refusal(long invisibleMillis) {
        if (invisibleMillis < 0 || invisibleMillis > PopLimits.MAX_INVISIBLE_MILLIS) {
            return refuse(
                    ResponseCode.INVALID_PARAMETER,
                    "invisibleTime=" + invisibleMillis + " is not in [0," + PopLimits.MAX_INVISIBLE_MILLIS + "] ms");
        }
        return Optional.empty();
    }

    Optional<Refusal> refusal(String attemptId) {
        int bytes = attemptId.getBytes(StandardCharsets.UTF_8).length;
        return bytes <= PopLimits.MAX_ATTEMPT_ID_BYTES
                ? Optional.empty()
                : refuse(
                        ResponseCode.INVALID_PARAMETER,
                        "attemptId has " + bytes + " bytes, allowed " + PopLimits.MAX_ATTEMPT_ID_BYTES);
    }

    private static Optional<Refusal> refuse(int code, String remark) {
        return Optional.of(new Refusal(code, remark));
    }
}
