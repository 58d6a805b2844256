package io.anser.raft.membership;

import io.anser.protocol.body.GroupMemberStatus;
import io.anser.raft.GroupEngine;
import io.anser.system.Cancellable;
import io.anser.system.Scheduler;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the lead of a group go back to the member that is meant to have it, so that the leads of several groups are spread over
 * their processes: by whoever else leads, when that member is there and up to date. Owned by the timer thread.
 *
 * <p>A member that takes the lead and loses it again and again gets it back more and more seldom.
 */
public final class LeadSpread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeadSpread.class);
    private static final long PERIOD_MILLIS = 2_000;
    private static final int ROUNDS_AT_FIRST = 2;
    private static final int ROUNDS_MAX = 60;

    private final GroupEngine engine;
    private final MemberQuestions questions;
    private final String preferred;
    private final Scheduler scheduler;
    private final Cancellable looking;
    private int roundsLed;
    private int roundsNeeded = ROUNDS_AT_FIRST;

    /**
     * Begins.
     *
     * @param preferred {@code host:port} of the member that is meant to lead
     */
    public LeadSpread(GroupEngine engine, MemberQuestions questions, String preferred, Scheduler scheduler) {
        this.engine = engine;
        this.questions = questions;
        this.preferred = preferred;
        this.scheduler = scheduler;
        this.looking = scheduler.every(PERIOD_MILLIS, this::look);
    }

    private void look() {
        if (!engine.leads()) {
            roundsLed = 0;
            return;
        }
        GroupMemberStatus own = engine.status();
        roundsLed++;
        if (own.address().equals(preferred) || !own.voters().contains(preferred) || roundsLed < roundsNeeded) {
            return;
        }
        questions.ask(preferred).whenComplete((answer, failure) -> {
            if (answer != null
                    && LeadTargets.obstacle(own, preferred, Map.of(preferred, answer))
                            .isEmpty()) {
                scheduler.schedule(0, () -> move(own));
            }
        });
    }

    private void move(GroupMemberStatus own) {
        roundsNeeded = Math.min(ROUNDS_MAX, 2 * roundsNeeded);
        engine.moveLead(preferred).whenComplete((done, failure) -> {
            if (failure == null) {
                LOG.info("the lead went to the member that is meant to have it group={} to={}", own.group(), preferred);
            } else {
                LOG.debug("the lead was not moved group={} to={}", own.group(), preferred, failure);
            }
        });
    }

    @Override
    public void close() {
        looking.cancel();
    }
}
