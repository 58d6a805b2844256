package io.anser.transport;

import java.util.Locale;

/** A call that got no answer, or a listener that could not be opened. */
public final class TransportException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What went wrong. */
    public enum Kind {
        /** The address could not be listened on. */
        LISTEN,
        /** No connection could be made. */
        CONNECT,
        /** No answer came in time. */
        TIMEOUT,
        /** The connection ended before the answer came. */
        CLOSED,
        /** Too many calls are waiting already. */
        OVERLOADED
    }

    private final Kind kind;
    private final boolean retrySafe;

    private TransportException(Kind kind, boolean retrySafe, String message) {
        super(message);
        this.kind = kind;
        this.retrySafe = retrySafe;
    }

    /** The request never left this process: sending it again cannot do it twice. */
    static TransportException notSent(Kind kind, String message) {
        return new TransportException(kind, true, kind.name().toLowerCase(Locale.ROOT) + ": " + message);
    }

    /** The request was sent and may or may not have been carried out. */
    static TransportException unanswered(Kind kind, String message) {
        return new TransportException(kind, false, kind.name().toLowerCase(Locale.ROOT) + ": " + message);
    }

    /** What went wrong. */
    public Kind kind() {
        return kind;
    }

    /** Whether the request certainly did not reach the other side, so that sending it again cannot do it twice. */
    public boolean retrySafe() {
        return retrySafe;
    }
}
