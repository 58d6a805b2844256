package io.anser.broker.topic;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.Change.GroupSaved;
import io.anser.broker.metadata.GroupTable;
import io.anser.broker.metadata.Proposals;
import io.anser.protocol.body.GroupRetryPolicy;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.NameProblem;
import io.anser.protocol.message.Names;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.time.Duration;
import java.util.Optional;

/** Creates a consumer group or changes its configuration (code 200). */
public final class CreateSubscriptionGroupHandler implements Handler<FieldSource> {
    /** Most consumer groups of a broker. */
    static final int MAX_GROUPS = 100_000;

    /** Most waits in a list of a group's own. */
    static final int MAX_WAITS = 1024;

    /** The longest wait for a retry that a group may ask for: a year. */
    static final long MAX_WAIT_MILLIS = Duration.ofDays(365).toMillis();

    private final GroupTable groups;
    private final Proposals proposals;

    /** Makes the handler. */
    public CreateSubscriptionGroupHandler(GroupTable groups, Proposals proposals) {
        this.groups = groups;
        this.proposals = proposals;
    }

    @Override
    public void handle(Call call, FieldSource request, ByteBuf body) {
        SubscriptionGroupConfig config = SubscriptionGroupConfig.read(ByteBufUtil.getBytes(body));
        TopicAttributes.check(config.attributes());
        Optional<Refusal> refusal = check(config);
        if (refusal.isPresent()) {
            refusal.get().answer(call);
        } else if (groups.find(config.groupName()).filter(config::equals).isPresent()) {
            call.respond(FieldSource.NONE);
        } else {
            proposals.propose(new GroupSaved(config), new AnswerWhenSaved(call));
        }
    }

    private Optional<Refusal> check(SubscriptionGroupConfig config) {
        Optional<NameProblem> problem = Names.checkGroup(config.groupName());
        if (problem.isPresent()) {
            return problem.map(found -> Refusal.illegal(found.text()));
        }
        int queues = config.retryQueueNums();
        if (queues < 0 || queues > CreateTopicHandler.MAX_QUEUES) {
            return invalid("retryQueueNums=" + queues + " allowed=0.." + CreateTopicHandler.MAX_QUEUES);
        }
        Optional<Refusal> badWaits = checkWaits(config.groupRetryPolicy());
        if (badWaits.isPresent()) {
            return badWaits;
        }
        if (groups.size() >= MAX_GROUPS && groups.find(config.groupName()).isEmpty()) {
            return invalid("groups=" + groups.size() + " limit=" + MAX_GROUPS);
        }
        return Optional.empty();
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
        return policy.exponential().flatMap(CreateSubscriptionGroupHandler::checkWaits);
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
