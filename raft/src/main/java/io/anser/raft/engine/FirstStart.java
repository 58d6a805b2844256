package io.anser.raft.engine;

import io.anser.raft.GroupMembers;
import io.anser.raft.JoinMark;
import io.anser.raft.rpc.EmptyQuestion;
import io.anser.system.Scheduler;
import io.anser.transport.RemotingClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first start of a member with an empty folder. When all others say that they are empty too, the group is new; when one is
 * not, this member has been wiped, or is new in an old group, and begins with the {@link JoinMark}. A member that cannot reach
 * all others waits. Owned by the timer thread.
 *
 * <p>Two members that start at the same time each see the other empty: none has an entry before a majority has started.
 */
final class FirstStart {
    private static final Logger LOG = LoggerFactory.getLogger(FirstStart.class);
    private static final long RETRY_MILLIS = 200;
    private static final long ANSWER_MILLIS = 1_000;
    private static final int TELLS_APART = 50;

    private final GroupMembers members;
    private final RemotingClient connections;
    private final JoinMark mark;
    private final Scheduler scheduler;
    private final Runnable decided;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final List<String> unheard;
    private int rounds;

    /** Asks until it is known, unless it is {@link #end ended} before; then has the engine started. */
    FirstStart(GroupMembers members, RemotingClient connections, JoinMark mark, Scheduler scheduler, Runnable decided) {
        this.members = members;
        this.connections = connections;
        this.mark = mark;
        this.scheduler = scheduler;
        this.decided = decided;
        this.unheard = new ArrayList<>(members.voters());
        unheard.remove(members.selfAddress());
    }

    void begin() {
        scheduler.schedule(0, this::ask);
    }

    void end() {
        ended.set(true);
    }

    private void ask() {
        if (ended.get()) {
            return;
        }
        if (unheard.isEmpty()) {
            decide(false);
            return;
        }
        if (rounds++ % TELLS_APART == TELLS_APART - 1) {
            LOG.info(
                    "waiting for all members of a new group, which must all be empty group={} unheard={}",
                    members.group(),
                    unheard);
        }
        for (String other : List.copyOf(unheard)) {
            EmptyQuestion.ask(connections, other, members.group(), ANSWER_MILLIS)
                    .whenComplete((empty, failure) -> {
                        if (failure == null) {
                            scheduler.schedule(0, () -> heard(other, empty));
                        }
                    });
        }
        scheduler.schedule(RETRY_MILLIS, this::ask);
    }

    private void heard(String other, boolean empty) {
        if (!empty) {
            decide(true);
        } else if (unheard.remove(other) && unheard.isEmpty()) {
            decide(false);
        }
    }

    private void decide(boolean joins) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        if (joins) {
            LOG.warn(
                    "this member is empty and its group is not: it votes when it is up to date group={} member={}",
                    members.group(),
                    members.self());
            mark.set("began with an empty folder in a group that has entries");
        }
        decided.run();
    }
}
