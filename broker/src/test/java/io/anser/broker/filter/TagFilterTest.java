package io.anser.broker.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TagFilterTest {
    @ParameterizedTest
    @ValueSource(strings = {"*", "", "  ", " * "})
    void starAndNothingAcceptEverything(String expression) {
        TagFilter filter = TagFilter.parse(expression);

        assertThat(filter.acceptsAll()).isTrue();
        assertThat(filter.mayAccept(0)).isTrue();
        assertThat(filter.mayAccept(97)).isTrue();
    }

    @Test
    void severalTagsAreJudgedByTheHashOfEach() {
        TagFilter filter = TagFilter.parse("a || c");

        assertThat(filter.acceptsAll()).isFalse();
        assertThat(filter.mayAccept(97)).isTrue();
        assertThat(filter.mayAccept(98)).isFalse();
        assertThat(filter.mayAccept(99)).isTrue();
        assertThat(filter.mayAccept(0)).isFalse();
    }

    @Test
    void barsWithoutATagAreRefused() {
        assertThatThrownBy(() -> TagFilter.parse(" || "))
                .isInstanceOf(BadExpressionException.class)
                .hasMessage("filter expression '||' names no tag");
    }
}
