package io.anser.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitsTest {
    @ParameterizedTest
    @CsvSource({"9,600,false", "11,400,false", "11,600,true", "100,1,true", "1,1000,true"})
    void warmUpEndsByWhatTheServerDid(long nanos, long messages, boolean over) {
        assertThat(new Limits.WarmUp(10, 500, 100, 1000).isOver(nanos, messages))
                .isEqualTo(over);
    }

    @ParameterizedTest
    @CsvSource({"11,600,false", "100,1,true", "1,1000,true"})
    void warmUpIsExhaustedByTimeOrMessages(long nanos, long messages, boolean exhausted) {
        assertThat(new Limits.WarmUp(10, 500, 100, 1000).isExhausted(nanos, messages))
                .isEqualTo(exhausted);
    }
}
