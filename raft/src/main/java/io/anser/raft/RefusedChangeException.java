package io.anser.raft;

/** A change of who belongs to a group, or leads it, that is not carried out; the message is a sentence for an operator. */
public final class RefusedChangeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** A refusal with its reason. */
    public RefusedChangeException(String reason) {
        super(reason);
    }
}
