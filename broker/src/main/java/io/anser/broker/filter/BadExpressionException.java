package io.anser.broker.filter;

/** A filter expression that cannot be understood; the message says why, for the person who wrote it. */
public final class BadExpressionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String reason;

    BadExpressionException(String reason) {
        super(reason, null, false, false);
        this.reason = reason;
    }

    /**
     * Says what is wrong at a place.
     *
     * @param at number of the character in the expression, from 1
     */
    BadExpressionException(int at, String problem) {
        this("SQL92 expression, character " + at + ": " + problem);
    }

    /** Returns the message. */
    public String reason() {
        return reason;
    }

    /** The beginning of a text that a client may have made as long as it likes. */
    static String shortened(String text) {
        return text.length() <= 64 ? text : text.substring(0, 64) + "...";
    }
}
