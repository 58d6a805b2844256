package io.anser.protocol.frame;

import java.util.Locale;

/**
 * One field of a well-formed header that is absent, malformed or out of range. The request is answered with an error that
 * carries this exception's message; the connection stays open.
 */
public final class InvalidFieldException extends ProtocolException {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN_CHARS = 64;

    private final String field;

    private InvalidFieldException(String field, String message) {
        super(message);
        this.field = field;
    }

    /**
     * Describes a required field that the header does not have.
     *
     * @param field wire name of the field
     */
    public static InvalidFieldException missing(String field) {
        return new InvalidFieldException(field, "field " + field + " is missing");
    }

    /**
     * Describes a field whose value cannot be accepted.
     *
     * @param field wire name of the field
     * @param value the value as received; at most its first 64 characters are repeated, control characters as {@code ?}
     * @param expectation what would have been accepted, for example {@code an integer from 0 to 1023}
     */
    public static InvalidFieldException of(String field, String value, String expectation) {
        return new InvalidFieldException(field, "field " + field + " is " + shown(value) + ", expected " + expectation);
    }

    /** Returns the wire name of the offending field. */
    public String field() {
        return field;
    }

    private static String shown(String value) {
        StringBuilder text = new StringBuilder(SHOWN_CHARS + 32).append('"');
        int end = Math.min(value.length(), SHOWN_CHARS);
        for (int i = 0; i < end; i++) {
            char c = value.charAt(i);
            text.append(Character.isISOControl(c) ? '?' : c);
        }
        text.append('"');
        if (end < value.length()) {
            text.append(String.format(Locale.ROOT, " (first %d of %d characters)", end, value.length()));
        }
        return text.toString();
    }
}
