package io.anser.broker.filter;

/** A filter expression that cannot be understood; the message says why, for the person who wrote it. */
public final class BadExpressionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String reason;

    BadExpressionException(String reason) {
        super(reason, null, false, false);
        this.reason = reason;
    }

    /** Returns the message. */
    public String reason() {
        return reason;
    }
}
