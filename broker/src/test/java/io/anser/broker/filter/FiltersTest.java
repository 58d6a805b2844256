package io.anser.broker.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FiltersTest {
    private final Filters filters = new Filters();

    @Test
    void expressionIsCompiledOnce() {
        MessageFilter first = filters.of("SQL92", "a > 3");

        assertThat(filters.of("SQL92", "a > 3")).isSameAs(first);
        assertThat(filters.of("SQL92", "a > 4")).isNotSameAs(first);
    }

    @Test
    void keptFiltersAreBounded() {
        String filler = " OR b = 'x'".repeat(360);
        for (int i = 0; i < 1000; i++) {
            filters.of("SQL92", "a > " + i + filler);
        }

        assertThat(filters.kept()).isBetween(1, 40);
    }

    @Test
    void badExpressionIsRefusedEachTime() {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> filters.of("SQL92", "a >")).isInstanceOf(BadExpressionException.class);
        }
        assertThat(filters.kept()).isZero();
    }

    @Test
    void otherExpressionTypesAreRefusedByName() {
        assertThatThrownBy(() -> filters.of("XPATH", "a > 3"))
                .isInstanceOf(BadExpressionException.class)
                .hasMessage("expressionType='XPATH' is unknown: there are TAG and SQL92");
    }

    @Test
    void overlongExpressionIsRefusedWithItsLengthAndTheLimit() {
        assertThatThrownBy(() -> filters.of("TAG", "a".repeat(4097)))
                .isInstanceOf(BadExpressionException.class)
                .hasMessage("subscription length=4097 limit=4096");
    }
}
