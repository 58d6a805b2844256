package io.anser.bench.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {
    @Test
    void medianOfAnOddNumberIsTheMiddleOne() {
        assertThat(Spread.of(List.of(9.0, 1.0, 4.0, 2.0, 100.0))).isEqualTo(new Spread(4, 1, 100, 5));
    }

    @Test
    void medianOfAnEvenNumberIsTheMeanOfTheMiddleTwo() {
        assertThat(Spread.of(List.of(4.0, 1.0, 8.0, 2.0))).isEqualTo(new Spread(3, 1, 8, 4));
    }

    @Test
    void nothingHasNoSpread() {
        assertThatThrownBy(() -> Spread.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void textHasTheDigitsThatCount() {
        assertThat(Spread.of(List.of(0.2456, 0.21, 0.25)).text()).isEqualTo("0.25 (0.21..0.25)");
        assertThat(Spread.of(List.of(123_456.0)).text()).isEqualTo("123,456");
        assertThat(Spread.of(List.of(0.0123)).text()).isEqualTo("0.012");
    }
}
