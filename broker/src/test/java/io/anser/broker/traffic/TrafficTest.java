package io.anser.broker.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.system.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TrafficTest {
    private final VirtualTime time = new VirtualTime();
    private final Traffic traffic = new Traffic(time, time);

    @Test
    void tellsNoRateBeforeTheFirstSample() {
        traffic.stored(5);

        assertThat(traffic.stored()).isEqualTo(5);
        assertThat(traffic.storedPerSecond()).containsExactly(0, 0, 0);
    }

    @Test
    void averagesOverTenSecondsAMinuteAndTenMinutes() {
        traffic.stored(600);
        time.advance(Duration.ofSeconds(50));
        traffic.stored(100);
        time.advance(Duration.ofSeconds(10));

        assertThat(traffic.storedPerSecond()).containsExactly(10, 700 / 60.0, 700 / 60.0);
    }

    @Test
    void forgetsWhatIsOlderThanTheSpan() {
        traffic.delivered(1_000);
        time.advance(Duration.ofMinutes(5));

        assertThat(traffic.delivered()).isEqualTo(1_000);
        assertThat(traffic.deliveredPerSecond()).containsExactly(0, 0, 1_000 / 300.0);

        time.advance(Duration.ofMinutes(10));
        assertThat(traffic.deliveredPerSecond()).containsExactly(0, 0, 0);
    }

    @Test
    void remembersWhatTheCountsWereWhenTheLastTwoDaysBegan() {
        traffic.stored(7);
        time.advance(Duration.ofDays(1));
        traffic.stored(3);
        time.advance(Duration.ofDays(1));
        traffic.stored(1);

        assertThat(traffic.stored()).isEqualTo(11);
        assertThat(traffic.storedThisMorning()).isEqualTo(10);
        assertThat(traffic.storedLastMorning()).isEqualTo(7);
    }
}
