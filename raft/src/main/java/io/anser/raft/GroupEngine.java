package io.anser.raft;

import io.anser.store.log.EntryProposer;
import java.util.Optional;

/**
 * The consensus engine of one member of one group, as the rest of the process sees it: it decides what the group's log holds,
 * has it written and applied by the member's store, and chooses who leads. Thread-safe.
 */
public interface GroupEngine extends EntryProposer, AutoCloseable {
    /** Whether this member leads, as far as it knows; it may have been replaced a moment ago, but then confirms nothing. */
    boolean leads();

    /** Where the leader is, {@code host:port}; empty while there is none, or none is known. */
    Optional<String> leader();

    /** Index of the last entry that this member has applied. */
    long appliedIndex();

    /** Leaves the group's conversation and stops the threads. What was proposed and has no outcome fails. */
    @Override
    void close();
}
