package io.anser.broker.timer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.store.log.Append;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Timers whose appends end when the test says so. */
class TimersInFlightTest extends HandDrivenTimers {
    @Test
    void aTimerThatArrivesWhileAnEarlierOneIsInFlightFires() {
        commitWaiting(1, 1_001_000);
        pass(1000);
        Append first = appended.remove();

        commitWaiting(2, 1_002_000);
        commit(first);
        pass(999);
        assertThat(appended).isEmpty();
        pass(1);

        assertThat(appended).hasSize(1);
    }

    @Test
    void aTimerInFlightIsNotFiredAgain() {
        commitWaiting(1, 1_001_000);
        pass(1000);
        commitWaiting(2, 1_000_500);
        pass(60_000);

        assertThat(appended).hasSize(2);
    }

    @Test
    void aTimerThatBreaksTheRunHoldsUpNoOther() {
        commitWaiting(1, 1_001_000);
        commitWaiting(2, 1_001_001);
        broken = position -> true;

        assertThatThrownBy(() -> pass(1000)).hasMessage("the test's store is broken");
        broken = position -> false;
        pass(1000);

        assertThat(appended).hasSize(1);
    }

    private void pass(long millis) {
        time.advance(Duration.ofMillis(millis));
    }
}
