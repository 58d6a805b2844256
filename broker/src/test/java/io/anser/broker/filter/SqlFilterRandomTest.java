package io.anser.broker.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares compiled filters with {@link PlainSql}, which says the same slowly and plainly, on random expressions. */
class SqlFilterRandomTest {
    private static final int EXPRESSIONS = 4_000;
    private static final int MESSAGES = 12;

    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final List<String> VALUES = List.of(
            "1",
            "2",
            "3",
            "10",
            "-3",
            "+2",
            "2.0",
            "2.5",
            "1e1",
            "007",
            "x",
            "xx",
            "xyx",
            "true",
            "True",
            "false",
            "é",
            "it's",
            "12345678901234567890",
            "1234567890123456789",
            "0.1",
            ".5",
            "2.",
            "-",
            "NaN",
            " 2");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void compiledFilterAgreesWithThePlainEvaluation(long seed) {
        Random random = new Random(seed);
        int accepted = 0;
        for (int i = 0; i < EXPRESSIONS; i++) {
            PlainSql expression = new RandomSql(random).condition(3);
            SqlFilter filter = SqlFilter.parse(expression.text());
            for (int j = 0; j < MESSAGES; j++) {
                Map<String, String> properties = properties(random);
                boolean expected = expression.accepts(properties);

                assertThat(filter.accepts(FilteredMessage.of(properties)))
                        .as("seed=%s %s of %s", seed, expression.text(), properties)
                        .isEqualTo(expected);
                accepted += expected ? 1 : 0;
            }
        }
        // Else the comparison would show nothing.
        assertThat(accepted).isBetween(EXPRESSIONS * MESSAGES / 20, EXPRESSIONS * MESSAGES / 2);
    }

    private static Map<String, String> properties(Random random) {
        Map<String, String> properties = new TreeMap<>();
        for (String name : NAMES) {
            if (random.nextInt(4) > 0) {
                properties.put(name, VALUES.get(random.nextInt(VALUES.size())));
            }
        }
        return properties;
    }
}
