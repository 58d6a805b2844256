package io.anser.broker.filter;

import io.anser.broker.filter.Term.Null;
import io.anser.broker.filter.Term.Property;
import io.anser.broker.filter.Term.Real;
import io.anser.broker.filter.Term.Text;
import io.anser.broker.filter.Term.Truthful;
import io.anser.broker.filter.Term.Whole;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads an SQL92 expression by recursive descent. From what binds least to what binds most:
 *
 * <pre>
 * expression = all { OR all }
 * all        = equality { AND equality }
 * equality   = ordered { ( = | &lt;&gt; ) ordered | IS [NOT] NULL }
 * ordered    = value { ( &lt; | &lt;= | &gt; | &gt;= ) value | [NOT] BETWEEN value AND value
 *                    | [NOT] IN ( text {, text} ) | [NOT] ( CONTAINS | STARTSWITH | ENDSWITH ) text }
 * value      = + value | - number | NOT value | ( expression ) | property | text | number | TRUE | FALSE | NULL
 * </pre>
 */
final class SqlParser {
    /** Most parentheses, signs and chained comparisons inside each other. */
    static final int MAX_DEPTH = 64;

    private final SqlTokens tokens;
    private final Map<String, Integer> slots = new LinkedHashMap<>();
    private int depth;

    private SqlParser(String text) {
        this.tokens = new SqlTokens(text);
    }

    /**
     * What an expression says.
     *
     * @param condition true of the messages that are wanted
     * @param properties the names it looks for, by slot
     */
    record Parsed(Condition condition, List<String> properties) {}

    /**
     * Reads an expression.
     *
     * @throws BadExpressionException if it is none
     */
    static Parsed parse(String text) {
        SqlParser parser = new SqlParser(text);
        Condition condition = parser.condition(parser.expression());
        if (parser.tokens.token() != SqlToken.END) {
            throw parser.expected("AND, OR or the end");
        }
        return new Parsed(condition, List.copyOf(parser.slots.keySet()));
    }

    private Term expression() {
        Term first = all();
        if (tokens.token() != SqlToken.OR) {
            return first;
        }
        List<Condition> parts = new ArrayList<>();
        parts.add(condition(first));
        while (take(SqlToken.OR)) {
            parts.add(condition(all()));
        }
        return truthful(first.at(), new Condition.Or(List.copyOf(parts)));
    }

    private Term all() {
        Term first = equality();
        if (tokens.token() != SqlToken.AND) {
            return first;
        }
        List<Condition> parts = new ArrayList<>();
        parts.add(condition(first));
        while (take(SqlToken.AND)) {
            parts.add(condition(equality()));
        }
        return truthful(first.at(), new Condition.And(List.copyOf(parts)));
    }

    private Term equality() {
        Term left = ordered();
        for (int links = 1; ; links++) {
            SqlToken token = tokens.token();
            if (token == SqlToken.EQUAL || token == SqlToken.NOT_EQUAL) {
                tokens.next();
                Comparison how = token == SqlToken.EQUAL ? Comparison.EQUAL : Comparison.NOT_EQUAL;
                left = truthful(left.at(), Comparisons.of(left, how, ordered()));
            } else if (take(SqlToken.IS)) {
                left = truthful(left.at(), isNull(left));
            } else {
                return left;
            }
            checkDepth(depth + links);
        }
    }

    private Condition isNull(Term term) {
        Comparisons.refuseOpenNot(term, SqlToken.IS.shown());
        boolean not = take(SqlToken.NOT);
        require(SqlToken.NULL, "NULL or NOT NULL");
        Condition isNull;
        if (term instanceof Property property) {
            isNull = Condition.missing(property.slot());
        } else if (term instanceof Truthful truth) {
            isNull = Condition.unknown(truth.condition());
        } else {
            isNull = Condition.constant(Truth.of(term instanceof Null));
        }
        return not ? Condition.not(isNull) : isNull;
    }

    private Term ordered() {
        Term left = value();
        for (int links = 1; ; links++) {
            Optional<Comparison> order = order(tokens.token());
            if (order.isPresent()) {
                tokens.next();
                left = truthful(left.at(), Comparisons.of(left, order.get(), value()));
            } else if (tokens.token() == SqlToken.NOT || isTest(tokens.token())) {
                left = truthful(left.at(), test(left, take(SqlToken.NOT)));
            } else {
                return left;
            }
            checkDepth(depth + links);
        }
    }

    private static Optional<Comparison> order(SqlToken token) {
        return switch (token) {
            case LESS -> Optional.of(Comparison.LESS);
            case LESS_OR_EQUAL -> Optional.of(Comparison.LESS_OR_EQUAL);
            case GREATER -> Optional.of(Comparison.GREATER);
            case GREATER_OR_EQUAL -> Optional.of(Comparison.GREATER_OR_EQUAL);
            default -> Optional.empty();
        };
    }

    private static boolean isTest(SqlToken token) {
        return switch (token) {
            case BETWEEN, IN, CONTAINS, STARTSWITH, ENDSWITH -> true;
            default -> false;
        };
    }

    private Condition test(Term left, boolean not) {
        SqlToken test = tokens.token();
        if (!isTest(test)) {
            throw expected("BETWEEN, IN, CONTAINS, STARTSWITH or ENDSWITH");
        }
        Comparisons.refuseOpenNot(left, test.shown());
        tokens.next();
        return switch (test) {
            case BETWEEN -> between(left, not);
            case IN -> in(left, not);
            default -> textTest(left, test, not);
        };
    }

    private Condition between(Term left, boolean not) {
        Term low = value();
        require(SqlToken.AND, "AND and the upper end of the range");
        Term high = value();
        if (not) {
            return new Condition.Or(List.of(
                    Comparisons.of(left, Comparison.LESS, low), Comparisons.of(left, Comparison.GREATER, high)));
        }
        Comparisons.checkRange(low, high);
        return new Condition.And(List.of(
                Comparisons.of(left, Comparison.GREATER_OR_EQUAL, low),
                Comparisons.of(left, Comparison.LESS_OR_EQUAL, high)));
    }

    private Condition in(Term left, boolean not) {
        int slot = property(left, SqlToken.IN).slot();
        require(SqlToken.OPEN, "( and texts");
        List<TextPattern> texts = new ArrayList<>();
        do {
            texts.add(new TextPattern(text()));
        } while (take(SqlToken.COMMA));
        require(SqlToken.CLOSE, ", or )");
        Condition oneOf = new Condition.OneOf(slot, List.copyOf(texts), Truth.UNKNOWN);
        return not ? Condition.not(oneOf) : oneOf;
    }

    private Condition textTest(Term left, SqlToken test, boolean not) {
        if (left instanceof Text fixed) {
            return TextTest.fixed(fixed.value(), test, text(), not);
        }
        return TextTest.of(property(left, test).slot(), test, text(), not);
    }

    private static Property property(Term term, SqlToken test) {
        if (term instanceof Property property) {
            return property;
        }
        throw new BadExpressionException(term.at(), "a property is expected before " + test.shown());
    }

    private String text() {
        if (tokens.token() != SqlToken.TEXT) {
            throw expected("a text in single quotes");
        }
        String text = tokens.quoted();
        tokens.next();
        return text;
    }

    private Term value() {
        return switch (tokens.token()) {
            case PLUS, MINUS, NOT, OPEN -> nested();
            default -> literal();
        };
    }

    private Term nested() {
        checkDepth(++depth);
        SqlToken sign = tokens.token();
        int at = tokens.at();
        tokens.next();
        Term value = switch (sign) {
            case MINUS -> negative(at, value());
            case NOT -> new Truthful(at, Condition.not(condition(value())), true);
            case OPEN -> closed(expression());
            default -> value();
        };
        depth--;
        return value;
    }

    private static Term negative(int at, Term term) {
        if (term instanceof Whole number) {
            return new Whole(at, -number.value());
        }
        if (term instanceof Real number) {
            return new Real(at, -number.value());
        }
        throw new BadExpressionException(at, "only a number can be negative: nothing is computed");
    }

    private Term closed(Term inner) {
        require(SqlToken.CLOSE, "AND, OR or )");
        return inner instanceof Truthful truth ? truthful(truth.at(), truth.condition()) : inner;
    }

    private Term literal() {
        int at = tokens.at();
        Term value = switch (tokens.token()) {
            case PROPERTY -> new Property(at, slot(tokens.word()));
            case TEXT -> new Text(at, tokens.quoted());
            case WHOLE -> new Whole(at, whole());
            case REAL -> new Real(at, real());
            case NULL -> new Null(at);
            case TRUE -> truthful(at, Condition.constant(Truth.TRUE));
            case FALSE -> truthful(at, Condition.constant(Truth.FALSE));
            default -> throw expected("a property, a text, a number, TRUE, FALSE, NULL, NOT or (");
        };
        tokens.next();
        return value;
    }

    private int slot(String name) {
        Integer known = slots.putIfAbsent(name, slots.size());
        return known == null ? slots.size() - 1 : known;
    }

    private long whole() {
        String digits = tokens.word();
        int length = digits.length();
        try {
            return Long.parseLong(
                    Character.isLetter(digits.charAt(length - 1)) ? digits.substring(0, length - 1) : digits);
        } catch (NumberFormatException e) {
            throw new BadExpressionException(tokens.at(), "a whole number must not be greater than " + Long.MAX_VALUE);
        }
    }

    private double real() {
        double value = Double.parseDouble(tokens.word());
        if (Double.isInfinite(value)) {
            throw new BadExpressionException(tokens.at(), "a number must not be greater than " + Double.MAX_VALUE);
        }
        return value;
    }

    private Condition condition(Term term) {
        if (term instanceof Truthful truth) {
            return truth.condition();
        }
        if (term instanceof Property property) {
            return Condition.bare(property.slot());
        }
        if (term instanceof Null) {
            return Condition.constant(Truth.UNKNOWN);
        }
        throw new BadExpressionException(term.at(), "this is neither true nor false: a comparison is expected");
    }

    private static Term truthful(int at, Condition condition) {
        return new Truthful(at, condition, false);
    }

    private boolean take(SqlToken token) {
        if (tokens.token() != token) {
            return false;
        }
        tokens.next();
        return true;
    }

    private void require(SqlToken token, String what) {
        if (!take(token)) {
            throw expected(what);
        }
    }

    private void checkDepth(int reached) {
        if (reached > MAX_DEPTH) {
            throw new BadExpressionException(tokens.at(), "more than " + MAX_DEPTH + " levels inside each other");
        }
    }

    private BadExpressionException expected(String what) {
        return new BadExpressionException(tokens.at(), "expected " + what + ", found " + tokens.shown() + hint());
    }

    private String hint() {
        return tokens.word().equalsIgnoreCase("LIKE") ? "; there is CONTAINS, STARTSWITH and ENDSWITH instead" : "";
    }
}
