package io.anser.broker.timer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.store.log.Append;
import io.anser.store.retention.CarryOver;
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

    /** All of the batch had ended before the delivery knew that there is more. */
    @Test
    void aDeliveryWithMoreToDoGoesOnWhenACopyWasTheLastInFlight() {
        commitWaiting(1, 1_001_000);
        delivery.carryOver().carryOver(2, CARRIED);
        committing = true;
        for (int i = 2; i <= TimerDelivery.MAX_BATCH + 2; i++) {
            commitWaiting(i, 1_001_000);
        }
        pass(2000);
        assertThat(state.timers().size()).as("the copied one and one more").isEqualTo(2);

        commit(appended.remove());

        assertThat(state.timers().size()).isZero();
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

    private static final CarryOver.End CARRIED = new CarryOver.End() {
        @Override
        public void free() {}

        @Override
        public void kept(String reason) {
            throw new AssertionError(reason);
        }
    };

    private void pass(long millis) {
        time.advance(Duration.ofMillis(millis));
    }
}
