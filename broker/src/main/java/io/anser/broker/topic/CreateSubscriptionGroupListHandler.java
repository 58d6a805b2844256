package io.anser.broker.topic;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.AnswerWhenSaved;
import io.anser.broker.metadata.Change.GroupSaved;
import io.anser.broker.metadata.GroupTable;
import io.anser.broker.metadata.Proposals;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.body.SubscriptionGroupList;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.List;
import java.util.Optional;

/** Creates consumer groups or changes their configurations, all of them or none (code 225). */
final class CreateSubscriptionGroupListHandler implements Handler<FieldSource> {
    private final GroupRules rules;
    private final Proposals proposals;

    /** Makes the handler. */
    CreateSubscriptionGroupListHandler(GroupTable groups, Proposals proposals) {
        this.rules = new GroupRules(groups);
        this.proposals = proposals;
    }

    @Override
    public void handle(Call call, FieldSource request, ByteBuf body) {
        List<SubscriptionGroupConfig> configs =
                SubscriptionGroupList.read(ByteBufUtil.getBytes(body)).groupConfigList();
        Optional<Refusal> refusal = refusal(configs);
        if (refusal.isPresent()) {
            refusal.get().answer(call);
            return;
        }
        List<GroupSaved> changes =
                configs.stream().filter(rules::isChange).map(GroupSaved::new).toList();
        if (changes.isEmpty()) {
            call.respond(FieldSource.NONE);
        } else {
            proposals.propose(changes, new AnswerWhenSaved(call));
        }
    }

    private Optional<Refusal> refusal(List<SubscriptionGroupConfig> configs) {
        if (configs.isEmpty() || configs.size() > Proposals.MAX_CHANGES) {
            return Optional.of(new Refusal(
                    ResponseCode.INVALID_PARAMETER,
                    "groupConfigList has " + configs.size() + " groups, allowed=1.." + Proposals.MAX_CHANGES));
        }
        for (SubscriptionGroupConfig config : configs) {
            Optional<Refusal> refusal = rules.refusal(config);
            if (refusal.isPresent()) {
                return refusal.map(
                        found -> new Refusal(found.code(), "group=" + config.groupName() + ": " + found.remark()));
            }
        }
        return Optional.empty();
    }
}
