package io.anser.broker.topic;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.Change.GroupSaved;
import io.anser.broker.metadata.GroupTable;
import io.anser.broker.metadata.Proposals;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.NameProblem;
import io.anser.protocol.message.Names;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.Optional;

/** Creates a consumer group or changes its configuration (code 200). */
public final class CreateSubscriptionGroupHandler implements Handler<FieldSource> {
    /** Most consumer groups of a broker. */
    static final int MAX_GROUPS = 100_000;

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
            return Optional.of(new Refusal(
                    ResponseCode.INVALID_PARAMETER,
                    "retryQueueNums=" + queues + " allowed=0.." + CreateTopicHandler.MAX_QUEUES));
        }
        if (groups.size() >= MAX_GROUPS && groups.find(config.groupName()).isEmpty()) {
            return Optional.of(
                    new Refusal(ResponseCode.INVALID_PARAMETER, "groups=" + groups.size() + " limit=" + MAX_GROUPS));
        }
        return Optional.empty();
    }
}
