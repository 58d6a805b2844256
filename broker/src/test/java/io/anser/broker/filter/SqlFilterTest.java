package io.anser.broker.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Apache RocketMQ 5.5.0 answered to the same questions, unless a test says otherwise. */
class SqlFilterTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            a > 5                             | a=10        | true
            a > 5                             | a=5         | false
            a > 5                             |             | false
            a > 5                             | a=abc       | false
            a > 5                             | a=5.5       | false
            a > 5.5                           | a=6         | true
            a >= 5.5                          | a=5.50      | true
            a = 5                             | a=+5        | true
            a = 5                             | a=5.0       | false
            a = 5.0                           | a=5         | true
            a = 5.0                           | a=0x5p0     | true
            a = 5.0                           | a=5d        | true
            a = 5.0                           | a=NaN       | false
            a > 5.0                           | a=NaN       | true
            a = 5                             | a=٥         | true
            a = 9999999999                    | a=9999999999| true
            a = 9223372036854775807           | a=9223372036854775807 | true
            a < 5                             | a=99999999999999999999 | false
            a <> 5                            | a=6         | true
            a <> 5                            | a=abc       | false
            a <> 5                            |             | false
            5 < a                             | a=10        | true
            5 = a                             | a=5         | true
            5 = a                             |             | false
            5 <> a                            |             | true
            5 > 3.5                           |             | true
            5 = 5.0                           |             | true
            a = -5                            | a=-5        | true
            a = - - 5                         | a=5         | true
            a = --5                           | a=5         | true
            a = +5                            | a=5         | true
            a > -(5)                          | a=-4        | true
            a = 1.5e1                         | a=15        | true
            a > .5                            | a=1         | true
            a > 5.                            | a=6.0       | true
            a = 5L                            | a=5         | true
            a = 'abc'                         | a=abc       | true
            a = 'abc'                         | a=ABC       | false
            a <> 'abc'                        | a=x         | true
            a <> 'abc'                        |             | false
            a = 'it''s'                       | a=it's      | true
            a = '中'                           | a=中         | true
            'a' = 'b'                         |             | false
            a = b                             | a=2,b=2     | true
            a = b                             | a=2,b=2.0   | false
            a = b                             | a=2         | false
            a = b                             |             | true
            a <> b                            | a=1         | true
            a <> b                            | b=1         | false
            a > b                             | a=10,b=9    | true
            a > b                             | a=1e3,b=9   | true
            a > b                             | a=y,b=x     | false
            a > b                             | a=1         | false
            a = TRUE                          | a=tRue      | true
            a = TRUE                          | a=yes       | false
            a = FALSE                         | a=yes       | true
            a = FALSE                         |             | false
            b = (a > 5)                       | a=6,b=true  | true
            (a > 5) = (b > 5)                 | a=6,b=7     | true
            (a > 5) = (b > 5)                 |             | true
            (a > 5) = (b > 5)                 | a=6         | false
            a = 5 = TRUE                      | a=5         | true
            a IS NULL                         |             | true
            a IS NULL                         | a=1         | false
            a IS NOT NULL                     | a=1         | true
            a IS NULL                         | a=          | true
            (a > 5) IS NULL                   |             | true
            (a > 5) IS NULL                   | a=x         | false
            (a = b) IS NULL                   | a=1         | false
            a IS NULL IS NULL                 |             | false
            NULL IS NULL                      |             | true
            5 IS NULL                         |             | false
            TRUE                              |             | true
            FALSE                             |             | false
            NULL                              |             | false
            a                                 | a=true      | false
            NOT a                             | a=true      | true
            NOT a                             |             | false
            a OR TRUE                         |             | true
            NOT (NULL AND FALSE)              |             | true
            NOT (FALSE OR NULL)               |             | false
            NOT (a > 5)                       | a=1         | true
            NOT (a > 5)                       |             | false
            NOT (a > 5)                       | a=abc       | false
            NOT NOT (a > 5)                   | a=6         | true
            a > 5 OR b > 5                    | b=10        | true
            a > 5 AND b > 5                   | b=10        | false
            a > 5 OR b = 'x'                  | a=abc,b=x   | false
            b = 'x' OR a > 5                  | a=abc,b=x   | true
            a = 'x' OR b = 'y' AND c = 'z'    | a=x         | true
            (a = 'x' OR b = 'y') AND c = 'z'  | a=x         | false
            a BETWEEN 1 AND 5                 | a=1         | true
            a BETWEEN 1 AND 5                 | a=5         | true
            a BETWEEN 1 AND 5                 | a=6         | false
            a BETWEEN 1 AND 5                 |             | false
            a BETWEEN 1.5 AND 5               | a=2.5       | false
            a BETWEEN -5 AND 5                | a=-3        | true
            a BETWEEN b AND c                 | a=2,b=1,c=3 | true
            a NOT BETWEEN 1 AND 5             | a=7         | true
            a NOT BETWEEN 1 AND 5             | a=3         | false
            a NOT BETWEEN 1 AND 5             |             | false
            a NOT BETWEEN 5 AND 1             | a=3         | true
            NOT (a BETWEEN 1 AND 5)           |             | false
            a BETWEEN 1 AND 5 = TRUE          | a=3         | true
            a IN ('x', 'y')                   | a=y         | true
            a IN ('x', 'y')                   | a=z         | false
            a NOT IN ('x', 'y')               | a=z         | true
            a NOT IN ('x', 'y')               |             | false
            a CONTAINS 'b'                    | a=abc       | true
            a CONTAINS 'aab'                  | a=aaab      | true
            a CONTAINS 'b'                    |             | false
            a NOT CONTAINS 'z'                | a=abc       | true
            a NOT CONTAINS 'z'                |             | false
            NOT (a CONTAINS 'b')              |             | true
            a CONTAINS ''                     | a=abc       | false
            a NOT CONTAINS ''                 | a=abc       | false
            a STARTSWITH 'ab'                 | a=abc       | true
            a STARTSWITH 'abcd'               | a=abc       | false
            a NOT STARTSWITH 'b'              | a=abc       | true
            a ENDSWITH 'bc'                   | a=abc       | true
            a NOT ENDSWITH 'b'                | a=abc       | true
            a NOT ENDSWITH 'b'                |             | false
            'abc' CONTAINS 'b'                |             | true
            a between 1 and 5 Or b Is Null    | a=3,b=1     | true
            a>=5AND b='x'                     | a=5,b=x     | true
            NOT(a>5)                          | a=1         | true
            a = 'x' /* c */ AND b = 'y'       | a=x,b=y     | true
            a = 'x' -- comment                | a=x         | true
            NOTE = 'x' AND LIKE = 'y' AND $_1 = 'z' | NOTE=x,LIKE=y,$_1=z | true
            A = 'x'                           | a=x         | false
            """)
    void answersAsApacheDoes(String expression, String properties, boolean accepted) {
        assertThat(accepts(expression, properties)).isEqualTo(accepted);
    }

    /** Apache refuses a literal zero with a fraction; there is no reason to. */
    @Test
    void zeroMayHaveAFractionAndHasNoSign() {
        assertThat(accepts("a = 0.0", "a=0")).isTrue();
        assertThat(accepts("a = -0.0", "a=0.00")).isTrue();
        assertThat(accepts("a < 0.0", "a=-0.0")).isFalse();
        assertThat(accepts("a >= b AND a <= b", "a=-0.0,b=0.0")).isTrue();
        assertThat(accepts("a < b", "a=-0.0,b=0.0")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            a > AND b        | character 5: expected a property, a text, a number, TRUE, FALSE, NULL, NOT or (, found 'AND'
            (a > 5           | character 7: expected AND, OR or ), found the end
            a > 5)           | character 6: expected AND, OR or the end, found ')'
            a > 5 b          | character 7: expected AND, OR or the end, found 'b'
            a LIKE 'b%'      | character 3: expected AND, OR or the end, found 'LIKE'; there is CONTAINS, STARTSWITH and ENDSWITH instead
            a + 1 = 3        | character 3: expected AND, OR or the end, found '+'
            a != 'x'         | character 3: '!' has no meaning, not equal is written <>
            a == 5           | character 4: expected a property, a text, a number, TRUE, FALSE, NULL, NOT or (, found '='
            a ; b            | character 3: ';' has no meaning here
            中 = 'x'          | character 1: '中' has no meaning here
            a = `x`          | character 5: a text stands between single quotes, and the name of a property without any
            a = 'x           | character 5: this text has no quote at its end
            a = 5 /* c       | character 7: this comment has no end
            a = 010          | character 5: a number must not begin with 0 and another digit
            a = 9223372036854775808 | character 5: a whole number must not be greater than 9223372036854775807
            a = 1e400        | character 5: a number must not be greater than 1.7976931348623157E308
            5                | character 1: this is neither true nor false: a comparison is expected
            a = 'x' AND 'y'  | character 13: this is neither true nor false: a comparison is expected
            a = NULL         | character 5: NULL cannot be compared by =, use IS NULL or IS NOT NULL
            a > 'abc'        | character 5: only numbers and properties can be compared by > or BETWEEN
            a > TRUE         | character 5: only numbers and properties can be compared by > or BETWEEN
            a > 5 > 3        | character 1: only numbers and properties can be compared by > or BETWEEN
            TRUE = 'x'       | character 8: this cannot be compared with what stands before the =
            5 = 'x'          | character 5: this cannot be compared with what stands before the =
            a BETWEEN 5 AND 1| character 11: the range of BETWEEN is empty: its first number is the greater one
            a BETWEEN 1      | character 12: expected AND and the upper end of the range, found the end
            a BETWEEN 'a' AND 'c' | character 11: only numbers and properties can be compared by >= or BETWEEN
            a IN ()          | character 7: expected a text in single quotes, found ')'
            a IN (1)         | character 7: expected a text in single quotes, found '1'
            a IN ('x' 'y')   | character 11: expected , or ), found ''y''
            'x' IN ('x')     | character 1: a property is expected before IN
            5 CONTAINS 'x'   | character 1: a property is expected before CONTAINS
            a CONTAINS b     | character 12: expected a text in single quotes, found 'b'
            a IS 5           | character 6: expected NULL or NOT NULL, found '5'
            a NOT NULL       | character 7: expected BETWEEN, IN, CONTAINS, STARTSWITH or ENDSWITH, found 'NULL'
            -a = 5           | character 1: only a number can be negative: nothing is computed
            NOT a = 'x'      | character 1: NOT needs parentheses where = follows or stands before it, as in NOT (a = 'b')
            NOT a IS NULL    | character 1: NOT needs parentheses where IS follows or stands before it, as in NOT (a = 'b')
            NOT a IN ('x')   | character 1: NOT needs parentheses where IN follows or stands before it, as in NOT (a = 'b')
            "  "             | character 3: expected a property, a text, a number, TRUE, FALSE, NULL, NOT or (, found the end
            """)
    void refusesWhatItDoesNotUnderstandWithThePlaceAndTheReason(String expression, String reason) {
        assertThatThrownBy(() -> SqlFilter.parse(expression))
                .isInstanceOf(BadExpressionException.class)
                .hasMessage("SQL92 expression, " + reason);
    }

    @ParameterizedTest
    @CsvSource({"'(',a = 1", "'NOT (',a = 1", "'- ',1", "'+ ',a"})
    void refusesTooMuchInsideEachOther(String nested, String inner) {
        String deep = nested.repeat(1000) + inner;

        assertThatThrownBy(() -> SqlFilter.parse(deep))
                .isInstanceOf(BadExpressionException.class)
                .hasMessageContaining("more than 64 levels inside each other");
    }

    @Test
    void refusesChainsAndTooManyWords() {
        assertThatThrownBy(() -> SqlFilter.parse("a" + " IS NULL".repeat(500)))
                .hasMessageContaining("more than 64 levels inside each other");
        assertThatThrownBy(() -> SqlFilter.parse("a" + " = TRUE".repeat(500)))
                .hasMessageContaining("more than 64 levels inside each other");
        assertThatThrownBy(() -> SqlFilter.parse("a IN ('x'" + ",''".repeat(1300) + ")"))
                .hasMessageContaining("more than 2048 words and signs");
    }

    @Test
    void manyAlternativesAreNoDepth() {
        String expression = "a = '0'" + " OR a='1'".repeat(400) + " OR a='z'";

        assertThat(accepts(expression, "a=z")).isTrue();
        assertThat(accepts(expression, "a=2")).isFalse();
    }

    @Test
    void lastOfTwoPropertiesCountsAndOneWithoutNameOrValueIsNone() {
        SqlFilter filter = SqlFilter.parse("a = 'x' AND b IS NULL");

        assertThat(filter.accepts(FilteredMessage.of(block("a:w;a:x;b:;:y;b")))).isTrue();
        assertThat(filter.accepts(FilteredMessage.of(block("a:x;a:w;")))).isFalse();
        assertThat(filter.accepts(FilteredMessage.of(block("a:x")))).isTrue();
    }

    @Test
    void messagesAreJudgedOneAfterTheOtherWhateverTheLastOneHad() {
        SqlFilter filter = SqlFilter.parse("a = 'x' AND b IS NULL");

        assertThat(filter.accepts(FilteredMessage.of(Map.of("a", "x", "b", "y".repeat(5000)))))
                .isFalse();
        assertThat(filter.accepts(FilteredMessage.of(Map.of("a", "x")))).isTrue();
        assertThat(filter.accepts(FilteredMessage.of(Map.of()))).isFalse();
    }

    @Test
    void tagsThatAreDemandedAreJudgedByTheIndexAlone() {
        assertThat(SqlFilter.parse("TAGS = 'a'").mayAccept(97)).isTrue();
        assertThat(SqlFilter.parse("TAGS = 'a'").mayAccept(98)).isFalse();
        assertThat(SqlFilter.parse("n > 5 AND TAGS IN ('a', 'c')").mayAccept(98))
                .isFalse();
        assertThat(SqlFilter.parse("n > 5 AND TAGS IN ('a', 'c')").mayAccept(99))
                .isTrue();
        assertThat(SqlFilter.parse("n > 5 OR TAGS = 'a'").mayAccept(98)).isTrue();
        assertThat(SqlFilter.parse("TAGS <> 'a'").mayAccept(98)).isTrue();
        assertThat(SqlFilter.parse("b = 'a'").mayAccept(98)).isTrue();
        assertThat(SqlFilter.parse("TAGS CONTAINS 'a'").mayAccept(98)).isTrue();
    }

    private static boolean accepts(String expression, String properties) {
        Map<String, String> map = new TreeMap<>();
        if (properties != null) {
            for (String property : properties.split(",")) {
                int equals = property.indexOf('=');
                if (equals + 1 < property.length()) {
                    map.put(property.substring(0, equals), property.substring(equals + 1));
                }
            }
        }
        return SqlFilter.parse(expression).accepts(FilteredMessage.of(map));
    }

    private static byte[] block(String text) {
        return text.replace(':', '\u0001').replace(';', '\u0002').getBytes(StandardCharsets.UTF_8);
    }
}
