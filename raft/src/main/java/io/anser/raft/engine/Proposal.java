package io.anser.raft.engine;

import com.alipay.sofa.jraft.Closure;
import com.alipay.sofa.jraft.Status;
import io.anser.store.file.StoreException;
import io.anser.store.log.ProposedEntry;

/** What the engine tells of an entry that this member has proposed, when it comes to nothing. */
record Proposal(ProposedEntry entry, String group) implements Closure {
    /** The engine has not taken the entry: it says so in these words, and gives the same code to what it gives up later. */
    private static final String NOT_LEADING = "Is not leader.";

    private static final String OTHER_TERM = "expected_term=";

    @Override
    public void run(Status status) {
        if (!status.isOk()) {
            entry.fail(reason(status));
        }
    }

    private StoreException reason(Status status) {
        String said = String.valueOf(status.getErrorMsg());
        if (NOT_LEADING.equals(said) || said.startsWith(OTHER_TERM)) {
            return new StoreException(StoreException.Kind.NOT_LEADING, "this member does not lead the group=" + group);
        }
        return switch (status.getRaftError()) {
            case EBUSY -> new StoreException(StoreException.Kind.BUSY, "the group=" + group + " is busy: " + said);
            default ->
                new StoreException(
                        StoreException.Kind.UNDECIDED,
                        "the lead of the group=" + group + " changed before this was decided: " + said);
        };
    }
}
