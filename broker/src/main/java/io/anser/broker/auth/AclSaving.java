package io.anser.broker.auth;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.AuthChange.RulesAdded;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.RequestStep;
import io.anser.broker.metadata.Rules;
import io.anser.broker.metadata.UserTable;
import io.anser.protocol.body.AclInfo;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.transport.Call;
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
        String name = UserRules.named(subject, asked.subject());
        AclInfo rules = AclRules.spelled(name, asked.policies());
        Optional<Refusal> refusal = AclRules.subjectRefusal(name, users).or(() -> AclRules.refusal(asked.policies()));
        if (refusal.isEmpty()) {
            refusal = refusal(rules, mustExist);
        }
        if (refusal.isPresent()) {
            refusal.get().answer(call);
            return;
        }
        LOG.info("rules are to change subject={}", name);
        proposals.propose(new RulesAdded(mustExist, rules), new RequestStep(call) {
            @Override
            protected void goOn() {
                if (users.rules(name).filter(all -> Rules.hasAll(all, rules)).isPresent()) {
                    call.respond(FieldSource.NONE);
                } else {
                    changedMeanwhile(rules, mustExist).answer(call);
                }
            }
        });
    }

    /** What there is against these rules beside what they are themselves. */
    private Optional<Refusal> refusal(AclInfo rules, boolean mustExist) {
        String subject = rules.subject();
        if (mustExist && users.rules(subject).isEmpty()) {
            return Optional.of(new Refusal(ResponseCode.POLICY_NOT_EXIST, "subject=" + subject + " has no rules yet"));
        }
        return users.tooMany(rules).flatMap(UserRules::invalid);
    }

    /** Whether they were added, and others took their place, or never were: only a look can tell. */
    private Refusal changedMeanwhile(AclInfo rules, boolean mustExist) {
        return AclRules.subjectRefusal(rules.subject(), users)
                .or(() -> refusal(rules, mustExist))
                .orElseGet(() -> new Refusal(
                        ResponseCode.SYSTEM_ERROR,
                        "the rules of subject=" + rules.subject()
                                + " were changed by others at the same time; look at them before trying again"));
    }
}
