package io.anser.store.file;

import java.util.Objects;

/**
 * The store could not do what was asked. The {@link Kind} says whether the caller may try again; the message carries the
 * facts (file, position, sizes, limits).
 */
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What went wrong, and what that means for the caller. */
    public enum Kind {
        /** Too much waits already. Nothing was written; the same call may succeed a moment later. */
        BUSY,
        /** The device is full. Nothing was written; the same call succeeds when somebody has made room. */
        FULL,
        /** The unit can never be stored: larger than the store's limit, or not what it claims to be. Nothing was written. */
        REFUSED,
        /** The topic was dropped after the unit was made. Nothing was written. */
        DROPPED,
        /** A write or force failed earlier, so nothing is acknowledged any more until the process has been restarted. */
        FENCED,
        /** This member of a replicated group does not lead it. Nothing was written; the leader may take it. */
        NOT_LEADING,
        /** The lead changed before it was known whether the group stores the unit: it may, or may not. */
        UNDECIDED,
        /** Too few replicas have what is stored, and this store must not acknowledge alone. Nothing was written. */
        UNREPLICATED,
        /** Reading or writing failed, or what was read is damaged. */
        IO,
        /** The store is closed or closing. */
        CLOSED
    }

    private final Kind kind;

    /** A failure without an exception below it. */
    public StoreException(Kind kind, String message) {
        // A refusal under load is an expected answer: it must not cost a walk of the stack.
        super(message, null, false, isFault(kind));
        this.kind = Objects.requireNonNull(kind);
    }

    private static boolean isFault(Kind kind) {
        return kind != Kind.BUSY && kind != Kind.FULL && kind != Kind.NOT_LEADING && kind != Kind.UNREPLICATED;
    }

    /** A failure and the exception that caused it. */
    public StoreException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = Objects.requireNonNull(kind);
    }

    /** What went wrong. */
    public Kind kind() {
        return kind;
    }
}
