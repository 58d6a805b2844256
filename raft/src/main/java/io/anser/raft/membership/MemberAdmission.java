package io.anser.raft.membership;

import io.anser.protocol.body.GroupMemberStatus;
import io.anser.protocol.operation.ChangeMembers;
import io.anser.raft.GroupEngine;
import io.anser.raft.RefusedChangeException;
import io.anser.system.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Carries out a change of who belongs to a group, by the rules. A member that is to vote, and does not yet because it may lack
 * something, is a learner until it does: as one that votes it would be counted on, and a group of two would be stuck with it.
 * Any thread.
 */
final class MemberAdmission {
    private static final long LOOK_MILLIS = 200;
    private static final long LOOKS_MAX = 3_000;

    private final GroupEngine engine;
    private final MemberQuestions questions;
    private final Scheduler scheduler;

    MemberAdmission(GroupEngine engine, MemberQuestions questions, Scheduler scheduler) {
        this.engine = engine;
        this.questions = questions;
        this.scheduler = scheduler;
    }

    /** The members afterwards; fails with {@link RefusedChangeException}. */
    CompletableFuture<MemberChangeRules.Outcome> change(ChangeMembers.Request change) {
        GroupMemberStatus own = engine.status();
        return questions.askAll(asked(own, change.member())).thenCompose(answers -> {
            MemberChangeRules.refusal(change, own, answers).ifPresent(reason -> {
                throw new RefusedChangeException(reason);
            });
            return carryOut(change, own, answers);
        });
    }

    private static List<String> asked(GroupMemberStatus own, String newcomer) {
        List<String> asked = new ArrayList<>(MemberQuestions.others(own));
        asked.add(newcomer);
        asked.remove(own.address());
        return asked;
    }

    private CompletableFuture<MemberChangeRules.Outcome> carryOut(
            ChangeMembers.Request change, GroupMemberStatus own, Map<String, GroupMemberStatus> answers) {
        GroupMemberStatus newcomer = answers.get(change.member());
        boolean joins = change.kind() == ChangeMembers.Kind.ADD && newcomer != null && newcomer.joining();
        if (!joins) {
            MemberChangeRules.Outcome wanted = MemberChangeRules.outcome(change, own);
            return engine.changeMembers(wanted.voters(), wanted.learners()).thenApply(done -> wanted);
        }
        CompletableFuture<?> learns = own.learners().contains(change.member())
                ? CompletableFuture.completedFuture(null)
                : change(new ChangeMembers.Request(ChangeMembers.Kind.ADD_LEARNER, change.member()));
        return learns.thenCompose(done -> awaitVote(change.member())).thenCompose(done -> change(change));
    }

    private CompletableFuture<Void> awaitVote(String member) {
        CompletableFuture<Void> votes = new CompletableFuture<>();
        look(member, LOOKS_MAX, votes);
        return votes;
    }

    private void look(String member, long looks, CompletableFuture<Void> votes) {
        questions.ask(member).whenComplete((status, failure) -> {
            if (status != null && !status.joining() && status.role() == GroupMemberStatus.Role.LEARNER) {
                votes.complete(null);
            } else if (looks == 0 || !engine.leads()) {
                votes.completeExceptionally(new RefusedChangeException(
                        member + " did not catch up, it stays a learner of the group; add it again later"));
            } else {
                scheduler.schedule(LOOK_MILLIS, () -> look(member, looks - 1, votes));
            }
        });
    }
}
