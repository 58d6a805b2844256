package io.anser.broker.pop;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.metadata.Lease;
import io.anser.broker.metadata.LeaseId;
import io.anser.broker.metadata.QueueLeases.Left;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RedeliveryTest {
    private static final Left OUT = left(0b101, new Lease(new long[] {4, 5, 6}, 1, 100, new byte[] {0, 1, 127}, "a"));

    @Test
    void nobodyElseGetsTheMessagesWhileTheirTimeRuns() {
        assertThat(Redelivery.of(List.of(OUT), "b", 99)).isEmpty();
        assertThat(Redelivery.of(List.of(OUT), "", 99)).isEmpty();
    }

    @Test
    void aRepeatedPopGetsTheSameMessagesAndNoMoreCount() {
        Redelivery again = Redelivery.of(List.of(OUT), "a", 99).orElseThrow();

        assertThat(again.offsets()).containsExactly(4, 6);
        assertThat(again.attempts(new long[] {4, 6})).containsExactly(0, 127);
    }

    @Test
    void whenTheTimeIsOverAnybodyGetsThemAndTheDeliveryCounts() {
        Redelivery again = Redelivery.of(List.of(OUT), "b", 100).orElseThrow();

        assertThat(again.offsets()).containsExactly(4, 6);
        assertThat(again.attempts(new long[] {4, 6})).containsExactly(1, 127);
    }

    @Test
    void oneMessageWhoseTimeRunsHoldsUpAllOfItsQueue() {
        Left other = left(0b1, new Lease(new long[] {9}, 2, 200, new byte[] {0}, "a"));

        assertThat(Redelivery.of(List.of(OUT, other), "b", 150)).isEmpty();
        assertThat(Redelivery.of(List.of(OUT, other), "b", 200).map(Redelivery::offsets))
                .contains(new long[] {4, 6, 9});
    }

    @Test
    void messagesThatWerePoppedWithoutOrderAreWaitedFor() {
        Left other = left(0b1, Lease.of(new long[] {9}, 2, 50));

        assertThat(Redelivery.of(List.of(OUT, other), "b", 150)).isEqualTo(Optional.empty());
    }

    private static Left left(int left, Lease lease) {
        return new Left(new LeaseId(lease.offsets()[0], lease.popMillis()), lease, left);
    }
}
