package io.anser.raft.membership;

import io.anser.protocol.body.GroupMemberStatus;
import io.anser.raft.GroupEngine;
import io.anser.raft.RefusedChangeException;
import io.anser.system.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prepares a process for its end without a failed request: its leads go to other members, it takes none back, and it goes on
 * taking requests to the leaders until clients have asked for the routes anew. Any thread.
 */
public final class Drain {
    private static final Logger LOG = LoggerFactory.getLogger(Drain.class);

    private final List<Part> parts = new CopyOnWriteArrayList<>();
    private final Scheduler scheduler;
    private final Runnable stop;

    /** One group that the process is a member of. */
    private record Part(GroupEngine engine, MemberQuestions questions) {}

    /**
     * A drain of nothing yet.
     *
     * @param stop ends the process; must not block
     */
    public Drain(Scheduler scheduler, Runnable stop) {
        this.scheduler = scheduler;
        this.stop = stop;
    }

    /** Adds a group that the process is a member of. */
    public void add(GroupEngine engine, MemberQuestions questions) {
        parts.add(new Part(engine, questions));
    }

    /**
     * Begins.
     *
     * @param forwardMillis how long the process goes on without leads
     * @return completes when it has none; fails with {@link RefusedChangeException} when one cannot be given away, and the
     *     process then goes on as before
     */
    CompletableFuture<String> begin(long forwardMillis) {
        parts.forEach(part -> part.engine().standAside(true));
        List<CompletableFuture<?>> moves = new ArrayList<>();
        parts.forEach(part -> moves.add(giveAway(part)));
        return CompletableFuture.allOf(moves.toArray(CompletableFuture[]::new)).handle((done, failure) -> {
            if (failure != null) {
                parts.forEach(part -> part.engine().standAside(false));
                Throwable cause = failure.getCause() == null ? failure : failure.getCause();
                throw new RefusedChangeException("not drained, the process goes on: " + cause.getMessage());
            }
            LOG.warn("this process has given all leads away and stops inMillis={}", forwardMillis);
            scheduler.schedule(forwardMillis, stop);
            return "all leads are given away, the process takes requests to the leaders for " + forwardMillis / 1000
                    + " s and stops";
        });
    }

    private static CompletableFuture<Void> giveAway(Part part) {
        if (!part.engine().leads()) {
            return CompletableFuture.completedFuture(null);
        }
        GroupMemberStatus own = part.engine().status();
        return part.questions().askAll(MemberQuestions.others(own)).thenCompose(answers -> {
            String target = LeadTargets.best(own, answers)
                    .orElseThrow(() -> new RefusedChangeException(
                            "no other member of the group=" + own.group() + " can take the lead now"));
            return part.engine().moveLead(target);
        });
    }
}
