package io.anser.broker.metadata;

/** The log holds a kind of state change that this version does not know; going on would lose state. */
public final class UnknownChangeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnknownChangeException(short kind) {
        super("stateChange kind=" + kind + " is not known: the log was written by a newer version");
    }
}
