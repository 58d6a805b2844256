package io.anser.broker.topic;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.AnswerWhenSaved;
import io.anser.broker.metadata.Change.GroupSaved;
import io.anser.broker.metadata.GroupTable;
import io.anser.broker.metadata.Proposals;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.frame.FieldSource;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.Optional;

/** Creates a consumer group or changes its configuration (code 200). */
final class CreateSubscriptionGroupHandler implements Handler<FieldSource> {
    private final GroupRules rules;
    private final Proposals proposals;

    /** Makes the handler. */
    CreateSubscriptionGroupHandler(GroupTable groups, Proposals proposals) {
        this.rules = new GroupRules(groups);
        this.proposals = proposals;
    }

    @Override
    public void handle(Call call, FieldSource request, ByteBuf body) {
        SubscriptionGroupConfig config = SubscriptionGroupConfig.read(ByteBufUtil.getBytes(body));
        Optional<Refusal> refusal = rules.refusal(config);
        if (refusal.isPresent()) {
            refusal.get().answer(call);
        } else if (rules.isChange(config)) {
            proposals.propose(new GroupSaved(config), new AnswerWhenSaved(call));
        } else {
            call.respond(FieldSource.NONE);
        }
    }
}
