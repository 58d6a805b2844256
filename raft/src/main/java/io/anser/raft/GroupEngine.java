package io.anser.raft;

import io.anser.protocol.body.GroupMemberStatus;
import io.anser.store.log.EntryProposer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The consensus engine of one member of one group, as the rest of the process sees it: it decides what the group's log holds,
 * has it written and applied by the member's store, and chooses who leads. Thread-safe.
 */
public interface GroupEngine extends Leadership, EntryProposer, AutoCloseable {
    /** Whether this member leads, as far as it knows; it may have been replaced a moment ago, but then confirms nothing. */
    @Override
    boolean leads();

    /** Where the leader is, {@code host:port}; empty while there is none, or none is known. */
    @Override
    Optional<String> leader();

    /** {@code host:port} of those who follow this member and have answered it lately; empty unless it leads. */
    Set<String> followers();

    /** Index of the last entry that this member has applied. */
    long appliedIndex();

    /** How this member stands. */
    GroupMemberStatus status();

    /**
     * Gives the lead, which this member must have, to another.
     *
     * @param hostPort of the member that is to lead
     * @return completes when that one leads; fails with {@link RefusedChangeException}
     */
    CompletableFuture<Void> moveLead(String hostPort);

    /**
     * Changes who belongs to the group, which this member must lead. A member that comes to vote has caught up before.
     *
     * @param voters {@code host:port} of all members that vote
     * @param learners of all others
     * @return completes when the group has agreed; fails with {@link RefusedChangeException}
     */
    CompletableFuture<Void> changeMembers(List<String> voters, List<String> learners);

    /** Whether this member is to leave the lead to others from now on. It gives nothing away that it has. */
    void standAside(boolean aside);

    /**
     * Has a member vote again that may have lost what it had confirmed.
     *
     * @throws RefusedChangeException when it votes anyway, or the group has a leader that will bring it up to date
     */
    void recover();

    /** Leaves the group's conversation and stops the threads. What was proposed and has no outcome fails. */
    @Override
    void close();
}
