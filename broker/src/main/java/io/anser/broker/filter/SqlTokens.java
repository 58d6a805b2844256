package io.anser.broker.filter;

/**
 * Cuts an SQL92 expression into words and signs. Stands on one of them; {@link #next} goes on. Used by one thread.
 *
 * <p>Names of properties are letters, digits, {@code _} and {@code $} of ASCII. Space, {@code -- to the end of the line} and
 * {@code /* comments *}{@code /} stand between words. Two minus signs before a number are no comment.
 */
final class SqlTokens {
    /** Most words and signs of one expression. */
    static final int MAX_TOKENS = 2048;

    private final String text;
    private int from;
    private int until;
    private int count;
    private SqlToken token = SqlToken.END;

    SqlTokens(String text) {
        this.text = text;
        next();
    }

    /** The kind of the word that this stands on. */
    SqlToken token() {
        return token;
    }

    /** Where the word begins, counted from 1. */
    int at() {
        return from + 1;
    }

    /** The word as it was written. */
    String word() {
        return text.substring(from, until);
    }

    /** The text between quotes, with doubled quotes made single. */
    String quoted() {
        return text.substring(from + 1, until - 1).replace("''", "'");
    }

    /** What the word is called in a message to a person. */
    String shown() {
        return token == SqlToken.END ? token.shown() : "'" + BadExpressionException.shortened(word()) + "'";
    }

    /** Goes to the next word; stays at the end. */
    void next() {
        if (++count > MAX_TOKENS) {
            throw new BadExpressionException(at(), "more than " + MAX_TOKENS + " words and signs");
        }
        from = afterSpace(until);
        until = from;
        if (from == text.length()) {
            token = SqlToken.END;
            return;
        }
        char first = text.charAt(from);
        if (isNameStart(first)) {
            takeWord();
        } else if (isDigit(first) || (first == '.' && isDigit(peek(from + 1)))) {
            takeNumber();
        } else if (first == '\'') {
            takeText();
        } else {
            takeSign(first);
        }
    }

    private int afterSpace(int position) {
        int at = position;
        int before;
        do {
            before = at;
            while (at < text.length() && " \t\n\r\f".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            if (isLineComment(at)) {
                int lineEnd = text.indexOf('\n', at);
                at = lineEnd < 0 ? text.length() : lineEnd;
            } else if (text.startsWith("/*", at)) {
                int end = text.indexOf("*/", at + 2);
                if (end < 0) {
                    throw new BadExpressionException(at + 1, "this comment has no end");
                }
                at = end + 2;
            }
        } while (at > before);
        return at;
    }

    private boolean isLineComment(int at) {
        return text.startsWith("--", at) && !isDigit(peek(at + 2)) && ".-+(".indexOf(peek(at + 2)) < 0;
    }

    private void takeWord() {
        while (until < text.length() && (isNameStart(text.charAt(until)) || isDigit(text.charAt(until)))) {
            until++;
        }
        token = SqlToken.ofWord(word());
    }

    private void takeNumber() {
        takeDigits();
        token = SqlToken.WHOLE;
        if (text.charAt(from) == '0' && until - from > 1) {
            throw new BadExpressionException(at(), "a number must not begin with 0 and another digit");
        }
        if (peek(until) == '.') {
            token = SqlToken.REAL;
            until++;
            takeDigits();
        }
        takeExponent();
        if (token == SqlToken.WHOLE && (peek(until) == 'L' || peek(until) == 'l')) {
            until++;
        }
    }

    private void takeExponent() {
        if (peek(until) != 'e' && peek(until) != 'E') {
            return;
        }
        int digits = peek(until + 1) == '+' || peek(until + 1) == '-' ? until + 2 : until + 1;
        if (isDigit(peek(digits))) {
            token = SqlToken.REAL;
            until = digits;
            takeDigits();
        }
    }

    private void takeDigits() {
        while (isDigit(peek(until))) {
            until++;
        }
    }

    private void takeText() {
        token = SqlToken.TEXT;
        until = from + 1;
        while (true) {
            int quote = text.indexOf('\'', until);
            if (quote < 0) {
                throw new BadExpressionException(at(), "this text has no quote at its end");
            }
            until = quote + 1;
            if (peek(until) != '\'') {
                return;
            }
            until++;
        }
    }

    private void takeSign(char first) {
        int length = 1;
        switch (first) {
            case '(' -> token = SqlToken.OPEN;
            case ')' -> token = SqlToken.CLOSE;
            case ',' -> token = SqlToken.COMMA;
            case '+' -> token = SqlToken.PLUS;
            case '-' -> token = SqlToken.MINUS;
            case '=' -> token = SqlToken.EQUAL;
            case '<' -> {
                length = peek(from + 1) == '>' || peek(from + 1) == '=' ? 2 : 1;
                token = length == 1
                        ? SqlToken.LESS
                        : peek(from + 1) == '>' ? SqlToken.NOT_EQUAL : SqlToken.LESS_OR_EQUAL;
            }
            case '>' -> {
                length = peek(from + 1) == '=' ? 2 : 1;
                token = length == 1 ? SqlToken.GREATER : SqlToken.GREATER_OR_EQUAL;
            }
            default -> throw new BadExpressionException(at(), strange(first));
        }
        until = from + length;
    }

    private static String strange(char first) {
        return switch (first) {
            case '!' -> "'!' has no meaning, not equal is written <>";
            case '"', '`' -> "a text stands between single quotes, and the name of a property without any";
            default -> "'" + first + "' has no meaning here";
        };
    }

    /** The character at a position, a space behind the end. */
    private char peek(int position) {
        return position < text.length() ? text.charAt(position) : ' ';
    }

    private static boolean isNameStart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
