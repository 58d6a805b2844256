package io.anser.broker.filter;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The kinds of words and signs in an SQL92 expression. */
enum SqlToken {
    AND("AND"),
    OR("OR"),
    NOT("NOT"),
    BETWEEN("BETWEEN"),
    IN("IN"),
    IS("IS"),
    NULL("NULL"),
    TRUE("TRUE"),
    FALSE("FALSE"),
    CONTAINS("CONTAINS"),
    STARTSWITH("STARTSWITH"),
    ENDSWITH("ENDSWITH"),
    EQUAL("="),
    NOT_EQUAL("<>"),
    LESS("<"),
    LESS_OR_EQUAL("<="),
    GREATER(">"),
    GREATER_OR_EQUAL(">="),
    OPEN("("),
    CLOSE(")"),
    COMMA(","),
    PLUS("+"),
    MINUS("-"),
    PROPERTY("a property"),
    TEXT("a text"),
    WHOLE("a whole number"),
    REAL("a number"),
    END("the end");

    private static final Map<String, SqlToken> WORDS = new HashMap<>();

    static {
        for (SqlToken token : values()) {
            if (Character.isUpperCase(token.shown.charAt(0))) {
                WORDS.put(token.shown, token);
            }
        }
    }

    private final String shown;

    SqlToken(String shown) {
        this.shown = shown;
    }

    /** The token in a message to a person. */
    String shown() {
        return shown;
    }

    /** The keyword that a word is, in letters of either case; a property if it is none. */
    static SqlToken ofWord(String word) {
        return WORDS.getOrDefault(word.toUpperCase(Locale.ROOT), PROPERTY);
    }
}
