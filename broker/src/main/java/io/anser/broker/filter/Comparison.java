package io.anser.broker.filter;

/** How two values are compared. */
enum Comparison {
    EQUAL("="),
    NOT_EQUAL("<>"),
    LESS("<"),
    LESS_OR_EQUAL("<="),
    GREATER(">"),
    GREATER_OR_EQUAL(">=");

    private final String sign;

    Comparison(String sign) {
        this.sign = sign;
    }

    String sign() {
        return sign;
    }

    /** Says whether the values need an order, not only to be the same or not. */
    boolean isOrder() {
        return this != EQUAL && this != NOT_EQUAL;
    }

    /** The comparison that holds when the sides change places. */
    Comparison mirrored() {
        return switch (this) {
            case EQUAL, NOT_EQUAL -> this;
            case LESS -> GREATER;
            case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
            case GREATER -> LESS;
            case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
        };
    }

    /** Says whether it holds, given what {@link Long#compare} tells of the values. */
    boolean holds(int order) {
        return switch (this) {
            case EQUAL -> order == 0;
            case NOT_EQUAL -> order != 0;
            case LESS -> order < 0;
            case LESS_OR_EQUAL -> order <= 0;
            case GREATER -> order > 0;
            case GREATER_OR_EQUAL -> order >= 0;
        };
    }

    /** Says whether it holds of two numbers. */
    boolean holds(long left, long right) {
        return holds(Long.compare(left, right));
    }

    /** Says whether it holds of two numbers; zero has no sign, and what is not a number is greater than all others. */
    boolean holds(double left, double right) {
        return holds(left == right ? 0 : Double.compare(left, right));
    }
}
