package io.anser.broker.auth;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.AnswerWhenSaved;
import io.anser.broker.metadata.AuthChange;
import io.anser.broker.metadata.AuthChange.RulesDeleted;
import io.anser.broker.metadata.AuthChange.RulesRemoved;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.Rules;
import io.anser.broker.metadata.UserTable;
import io.anser.protocol.body.AclInfo;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.DeleteAcl;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.anser.transport.LogText;
import io.netty.buffer.ByteBuf;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes the rules of a subject: all of them, those of one kind, or those about one resource (operation 3008). */
final class DeleteAclHandler implements Handler<DeleteAcl.Request> {
    private static final Logger LOG = LoggerFactory.getLogger(DeleteAclHandler.class);

    private final UserTable users;
    private final Proposals proposals;

    DeleteAclHandler(UserTable users, Proposals proposals) {
        this.users = users;
        this.proposals = proposals;
    }

    @Override
    public void handle(Call call, DeleteAcl.Request request, ByteBuf body) {
        String subject = request.subject();
        String resource = AclRules.spelled(request.resource());
        Optional<AclInfo> known = users.rules(subject);
        if (known.isEmpty()) {
            call.respond(ResponseCode.POLICY_NOT_EXIST, "subject=" + subject + " has no rules");
            return;
        }
        Optional<Refusal> refusal = AclRules.refusalOfType(request.policyType());
        if (refusal.isPresent()) {
            refusal.get().answer(call); // taken for another kind, it would delete what nobody named
            return;
        }
        boolean all = request.policyType().isEmpty() && resource.isEmpty();
        AclInfo left = Rules.without(known.get(), request.policyType(), resource);
        if (!all && Rules.entries(left) == Rules.entries(known.get())) {
            call.respond(
                    ResponseCode.POLICY_NOT_EXIST, "subject=" + subject + " has no rule about resource=" + resource);
            return;
        }
        LOG.info(
                "rules are to be deleted subject={} kind={} resource={}",
                LogText.of(subject),
                request.policyType(),
                LogText.of(resource));
        AuthChange change =
                all ? new RulesDeleted(subject) : new RulesRemoved(subject, Rules.kind(request.policyType()), resource);
        proposals.propose(change, new AnswerWhenSaved(call));
    }
}
