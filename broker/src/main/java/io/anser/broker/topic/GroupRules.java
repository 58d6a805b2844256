package io.anser.broker.topic;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.GroupTable;
import io.anser.protocol.body.GroupRetryPolicy;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.NameProblem;
import io.anser.protocol.message.Names;
import java.time.Duration;
import java.util.Optional;

/** What a consumer group that somebody asks for may look like, and whether there is room for it. */
final class GroupRules {
    /** Most consumer groups of a broker. */
    static final int MAX_GROUPS = 100_000;

    /** Most waits in a list of a group's own. */
    static final int MAX_WAITS = 1024;

    /** The longest wait for a retry that a group may ask for: a year. */
    static final long MAX_WAIT_MILLIS = Duration.ofDays(365).toMillis();

    private final GroupTable groups;

    GroupRules(GroupTable groups) {
        this.groups = groups;
    }

    /**
     * Says what is wrong with the group, naming the field and the limit.
     *
     * @throws io.anser.protocol.body.MalformedBodyException if its attributes are too many or too long
     */
    Optional<Refusal> refusal(SubscriptionGroupConfig config) {
        TopicAttributes.check(config.attributes());
        Optional<NameProblem> problem = Names.checkGroup(config.groupName());
        if (problem.isPresent()) {
            return problem.map(found -> Refusal.illegal(found.text()));
        }
        Optional<String> attribute = TopicAttributes.problemOfGroup(config.attributes());
        if (attribute.isPresent()) {
            return invalid(attribute.get());
        }
        int queues = config.retryQueueNums();
        if (queues < 0 || queues > TopicRules.MAX_QUEUES) {
            return invalid("retryQueueNums=" + queues + " allowed=0.." + TopicRules.MAX_QUEUES);
        }
        Optional<Refusal> badWaits = checkWaits(config.groupRetryPolicy());
        if (badWaits.isPresent()) {
            return badWaits;
        }
        if (groups.size() >= MAX_GROUPS && isNew(config)) {
            return invalid("groups=" + groups.size() + " limit=" + MAX_GROUPS);
        }
        return LiteTopics.refusal(config.attributes());
    }

    /** Says whether the group would have to be saved: it is not there, or it is different. */
    boolean isChange(SubscriptionGroupConfig config) {
        return groups.find(config.groupName()).filter(config::equals).isEmpty();
    }

    private boolean isNew(SubscriptionGroupConfig config) {
        return groups.find(config.groupName()).isEmpty();
    }

    private static Optional<Refusal> checkWaits(GroupRetryPolicy policy) {
        if (policy.next().size() > MAX_WAITS) {
            return invalid("groupRetryPolicy waits=" + policy.next().size() + " limit=" + MAX_WAITS);
        }
        for (long wait : policy.next()) {
            if (wait < 0 || wait > MAX_WAIT_MILLIS) {
                return invalid("groupRetryPolicy next=" + wait + " allowed=0.." + MAX_WAIT_MILLIS);
            }
        }
        return policy.exponential().flatMap(GroupRules::checkWaits);
    }

    private static Optional<Refusal> checkWaits(GroupRetryPolicy.Exponential waits) {
        if (waits.max() < 1 || waits.max() > MAX_WAIT_MILLIS) {
            return invalid("groupRetryPolicy max=" + waits.max() + " allowed=1.." + MAX_WAIT_MILLIS);
        }
        if (waits.initial() < 1 || waits.initial() > waits.max()) {
            return invalid("groupRetryPolicy initial=" + waits.initial() + " allowed=1.." + waits.max());
        }
        if (waits.multiplier() < 1) {
            return invalid("groupRetryPolicy multiplier=" + waits.multiplier() + " is not positive");
        }
        return Optional.empty();
    }

    private static Optional<Refusal> invalid(String remark) {
        return Optional.of(new Refusal(ResponseCode.INVALID_PARAMETER, remark));
    }
}
