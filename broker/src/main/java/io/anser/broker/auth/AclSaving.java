package io.anser.broker.auth;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.AnswerWhenSaved;
import io.anser.broker.metadata.AuthChange.RulesSaved;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.UserTable;
import io.anser.protocol.body.AclInfo;
import io.anser.protocol.frame.ResponseCode;
import io.anser.transport.Call;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the creation and the change of rules have in common: new rules go beside those that are there. */
final class AclSaving {
    private static final Logger LOG = LoggerFactory.getLogger(AclSaving.class);

    private final UserTable users;
    private final Proposals proposals;

    AclSaving(UserTable users, Proposals proposals) {
        this.users = users;
        this.proposals = proposals;
    }

    /**
     * Saves rules and answers.
     *
     * @param mustExist whether the subject has to have rules already
     */
    void save(Call call, String subject, AclInfo asked, boolean mustExist) {
        String name = subject.isEmpty() ? asked.subject() : subject;
        Optional<AclInfo> known = users.rules(name);
        Optional<Refusal> refusal = AclRules.subjectRefusal(name, users)
                .or(() -> mustExist && known.isEmpty()
                        ? Optional.of(
                                new Refusal(ResponseCode.POLICY_NOT_EXIST, "subject=" + name + " has no rules yet"))
                        : Optional.empty())
                .or(() -> AclRules.refusal(asked.policies()));
        if (refusal.isPresent()) {
            refusal.get().answer(call);
            return;
        }
        AclInfo rules = AclRules.merged(known.orElse(new AclInfo(name, List.of())), asked.policies());
        Optional<Refusal> tooMany = AclRules.sizeRefusal(rules);
        if (tooMany.isPresent()) {
            tooMany.get().answer(call);
        } else {
            LOG.info("rules are to change subject={}", name);
            proposals.propose(new RulesSaved(rules), new AnswerWhenSaved(call));
        }
    }
}
