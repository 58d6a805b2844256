package io.anser.raft;

import java.util.Set;

/**
 * Which requests a member takes to the leader.
 *
 * @param leaderOnly those that only a leader can carry out
 * @param leaderFirst those that a leader answers best, and any member where there is none
 */
public record Forwarded(Set<Integer> leaderOnly, Set<Integer> leaderFirst) {
    /** Copies the sets. */
    public Forwarded {
        leaderOnly = Set.copyOf(leaderOnly);
        leaderFirst = Set.copyOf(leaderFirst);
    }
}
