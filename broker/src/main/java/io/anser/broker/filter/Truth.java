package io.anser.broker.filter;

/** What a condition says about a message: the three values of SQL, and that it says nothing at all. */
enum Truth {
    TRUE,
    FALSE,
    /** A property that the condition needs is missing. */
    UNKNOWN,
    /** A property does not hold what the condition needs, as a number: the message is not wanted, whatever the rest says. */
    FAILED;

    static Truth of(boolean value) {
        return value ? TRUE : FALSE;
    }

    Truth not() {
        return switch (this) {
            case TRUE -> FALSE;
            case FALSE -> TRUE;
            case UNKNOWN, FAILED -> this;
        };
    }
}
