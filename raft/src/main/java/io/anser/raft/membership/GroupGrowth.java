package io.anser.raft.membership;

import io.anser.protocol.body.GroupMemberStatus;
import io.anser.protocol.operation.ChangeMembers;
import io.anser.raft.Founding;
import io.anser.raft.GroupEngine;
import io.anser.raft.GroupMembers;
import io.anser.system.Cancellable;
import io.anser.system.Scheduler;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a group that began with the store of one broker take in the others that the settings name, one after the other, as they
 * answer. Done by the first member while it leads. Owned by the timer thread.
 */
public final class GroupGrowth implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GroupGrowth.class);
    private static final long PERIOD_MILLIS = 1_000;

    private final GroupEngine engine;
    private final MemberAdmission admission;
    private final GroupMembers wanted;
    private final Founding founding;
    private final Scheduler scheduler;
    private final Cancellable looking;
    private boolean changing;

    /** Begins, where the group has not grown yet. */
    public GroupGrowth(
            GroupEngine engine,
            MemberQuestions questions,
            GroupMembers wanted,
            Founding founding,
            Scheduler scheduler) {
        this.engine = engine;
        this.admission = new MemberAdmission(engine, questions, scheduler);
        this.wanted = wanted;
        this.founding = founding;
        this.scheduler = scheduler;
        this.looking = scheduler.every(PERIOD_MILLIS, this::look);
    }

    private void look() {
        if (changing || !founding.isGrowing() || !engine.leads()) {
            return;
        }
        GroupMemberStatus own = engine.status();
        Optional<ChangeMembers.Request> next = Stream.concat(
                        missing(wanted.voters().stream(), own, ChangeMembers.Kind.ADD),
                        missing(wanted.learnerAddresses().stream(), own, ChangeMembers.Kind.ADD_LEARNER))
                .findFirst();
        if (next.isEmpty()) {
            founding.grown();
            looking.cancel();
            LOG.info("all members have come group={} members={}", own.group(), own.voters());
            return;
        }
        changing = true;
        admission.change(next.get()).whenComplete((done, failure) -> {
            if (failure == null) {
                LOG.info(
                        "a member has come group={} member={}",
                        own.group(),
                        next.get().member());
            } else {
                LOG.debug(
                        "a member could not be taken in yet member={}",
                        next.get().member(),
                        failure);
            }
            scheduler.schedule(0, () -> changing = false);
        });
    }

    private static Stream<ChangeMembers.Request> missing(
            Stream<String> addresses, GroupMemberStatus own, ChangeMembers.Kind kind) {
        return addresses
                .filter(address -> !own.voters().contains(address))
                .filter(address ->
                        kind == ChangeMembers.Kind.ADD || !own.learners().contains(address))
                .map(address -> new ChangeMembers.Request(kind, address));
    }

    @Override
    public void close() {
        looking.cancel();
    }
}
