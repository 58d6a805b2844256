package io.anser.store.log;

/** Hands entries to the group that a replicated store belongs to. */
@FunctionalInterface
public interface EntryProposer {
    /**
     * Proposes an entry behind those proposed before. Returns at once; {@link EntryCommitter#commit} or {@link
     * ProposedEntry#fail} tells what became of it, the latter perhaps during the call.
     */
    void propose(ProposedEntry entry);
}
