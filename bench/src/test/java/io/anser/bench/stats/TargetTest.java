package io.anser.bench.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.bench.stats.Target.Verdict;
import org.junit.jupiter.api.Test;

class TargetTest {
    private final Target atMost = Target.atMost("cost", 0.25);
    private final Target atLeast = Target.atLeast("speed", 3);

    @Test
    void medianOfFiveRunsDecides() {
        assertThat(atMost.judge(new Spread(0.25, 0.1, 0.9, 5))).isEqualTo(Verdict.PASS);
        assertThat(atMost.judge(new Spread(0.26, 0.1, 0.9, 5))).isEqualTo(Verdict.FAIL);
        assertThat(atLeast.judge(new Spread(3, 1, 9, 6))).isEqualTo(Verdict.PASS);
        assertThat(atLeast.judge(new Spread(2.9, 1, 9, 6))).isEqualTo(Verdict.FAIL);
    }

    @Test
    void fourRunsDecideNothing() {
        assertThat(atMost.judge(new Spread(0.1, 0.1, 0.1, 4))).isEqualTo(Verdict.NONE);
    }

    @Test
    void textNamesTheBound() {
        assertThat(atMost.text()).isEqualTo("cost <= 0.25");
        assertThat(atLeast.text()).isEqualTo("speed >= 3.00");
    }
}
