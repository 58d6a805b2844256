package io.anser.bench.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatenciesTest {
    private final Latencies latencies = new Latencies();

    @Test
    void percentilesOfAThousandEvenSteps() {
        for (int i = 1; i <= 1000; i++) {
            latencies.record(i * 1000L);
        }

        assertThat((double) latencies.percentile(0.5)).isCloseTo(500_000, within(8_000.0));
        assertThat((double) latencies.percentile(0.99)).isCloseTo(990_000, within(16_000.0));
        assertThat(latencies.count()).isEqualTo(1000);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 63, 64, 65, 127, 128, 129, 1_000_000, 123_456_789_012L, Long.MAX_VALUE})
    void oneValueIsFoundWithinItsClass(long nanos) {
        latencies.record(nanos);

        assertThat(latencies.percentile(1))
                .isBetween(nanos, Math.addExact(nanos, Math.min(nanos >> 6, Long.MAX_VALUE - nanos)));
    }

    @Test
    void nothingIsZero() {
        latencies.record(5);
        latencies.clear();

        assertThat(latencies.percentile(0.5)).isZero();
    }
}
