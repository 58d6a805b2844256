package io.anser.broker.filter;

/** A part of an SQL92 expression before it is known what is done with it. {@code at} is its first character, from 1. */
sealed interface Term {
    /** Where the term begins in the expression, from 1. */
    int at();

    /** A property of the message. */
    record Property(int at, int slot) implements Term {}

    /** A text in quotes. */
    record Text(int at, String value) implements Term {}

    /** A whole number. */
    record Whole(int at, long value) implements Term {}

    /** A number with fraction or exponent. */
    record Real(int at, double value) implements Term {}

    /** The word NULL. */
    record Null(int at) implements Term {}

    /**
     * What is true or false.
     *
     * @param openNot whether it is a NOT without parentheses around it: what follows would belong to either side of it
     */
    record Truthful(int at, Condition condition, boolean openNot) implements Term {}
}
