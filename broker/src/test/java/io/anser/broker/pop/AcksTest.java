package io.anser.broker.pop;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Lease;
import io.anser.broker.metadata.LeaseChange;
import io.anser.broker.metadata.LeaseChange.Popped;
import io.anser.broker.metadata.LeaseChange.Renewed;
import io.anser.broker.metadata.LeaseChange.Settled;
import io.anser.broker.metadata.LeaseId;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.QueueLeases;
import io.anser.broker.metadata.QueueLeases.Claim;
import io.anser.broker.pop.Acks.Decision;
import io.anser.broker.pop.Acks.Done;
import io.anser.broker.testing.InMemoryLog;
import io.anser.broker.testing.RecordedOutcome;
import io.anser.system.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AcksTest {
    private static final QueueKey QUEUE = new QueueKey("g", "T", 0);
    private static final long POPPED = 1_000;
    private static final long OVER = 61_000;
    private static final LeaseId LEASE = new LeaseId(10, POPPED);
    private static final LeaseId RENEWED = new LeaseId(10, POPPED + 5);

    private final VirtualTime time = new VirtualTime(POPPED);
    private final BrokerState state = new BrokerState(List.of());
    private final InMemoryLog log = new InMemoryLog(state);
    private final Proposals proposals = new Proposals(log);
    private final List<QueueKey> settled = new ArrayList<>();
    private final Acks acks = new Acks(state.leases(), settled::add, new AckCommits(proposals), time);
    private final RecordedOutcome told = new RecordedOutcome();

    @BeforeEach
    void pop() {
        apply(new Popped(QUEUE, 10, 14, Lease.of(new long[] {10, 11, 13}, POPPED, OVER)));
    }

    @Test
    void anAcknowledgementIsToldWhenItIsCommittedAndThenWhoWaitsForRoom() {
        log.hold();
        assertThat(ack(LEASE, 11)).isEqualTo(Decision.TAKEN);
        assertThat(told.ended()).isEqualTo("open");
        assertThat(settled).isEmpty();

        log.commit();

        assertThat(told.ended()).isEqualTo("committed");
        assertThat(settled).containsExactly(QUEUE);
        assertThat(leases().isOut(11)).isFalse();
        assertThat(leases().live()).isEqualTo(2);
    }

    @Test
    void oneThatFailsIsToldAndMayBeSentAgain() {
        log.hold();
        ack(LEASE, 11);

        log.failAll();

        assertThat(told.ended()).isEqualTo("failed IO");
        assertThat(settled).isEmpty();
        RecordedOutcome again = new RecordedOutcome();
        assertThat(acks.ack(done(LEASE, 11), Runnable::run, again)).isEqualTo(Decision.TAKEN);
        assertThat(again.ended()).isEqualTo("committed");
    }

    @Test
    void twoOfOneMessageAreBothToldThoughTheyAreOneChange() {
        log.hold();
        RecordedOutcome second = new RecordedOutcome();
        assertThat(ack(LEASE, 11)).isEqualTo(Decision.TAKEN);
        assertThat(acks.ack(done(LEASE, 11), Runnable::run, second)).isEqualTo(Decision.TAKEN);

        log.commit();

        assertThat(told.ended()).isEqualTo("committed");
        assertThat(second.ended()).isEqualTo("committed");
    }

    @Test
    void aRepeatedOneIsAsTheFirstUntilTheTimeOfTheHandleIsOver() {
        apply(new Settled(QUEUE, LEASE, 0b111));

        time.advance(Duration.ofMillis(OVER - POPPED - 1));
        assertThat(ack(LEASE, 10, 11, 13)).isEqualTo(Decision.REPEATED);
        time.advance(Duration.ofMillis(1));
        assertThat(ack(LEASE, 10, 11, 13)).isEqualTo(Decision.TOO_LATE);
        assertThat(told.ended()).isEqualTo("open");
    }

    @Test
    void whatIsLeftOfALeaseIsTakenWithWhatWasAcknowledgedBefore() {
        apply(new Settled(QUEUE, LEASE, 0b001));

        assertThat(ack(LEASE, 10, 11)).isEqualTo(Decision.TAKEN);

        assertThat(leases().isOut(11)).isFalse();
        assertThat(leases().isOut(13)).isTrue();
    }

    @Test
    void aMessageOnItsWayToAnotherTryIsNotTaken() {
        assertThat(leases().claimMove(LEASE, 0b010)).isEqualTo(Claim.MARKED);

        assertThat(ack(LEASE, 11)).isEqualTo(Decision.TOO_LATE);
        assertThat(ack(LEASE, 10)).isEqualTo(Decision.TAKEN);
    }

    @Test
    void aHandleThatAChangeOfTheTimeHasMadeVoidIsTooLate() {
        apply(new Renewed(QUEUE, LEASE, 1, RENEWED.popMillis(), OVER));

        assertThat(ack(LEASE, 11)).isEqualTo(Decision.TOO_LATE);
        assertThat(ack(LEASE, 10, 11)).isEqualTo(Decision.TAKEN_IN_PART);
        assertThat(leases().isOut(10)).isFalse();
        assertThat(leases().isOut(11)).isTrue();
        assertThat(acks.ack(done(RENEWED, 11), Runnable::run, Outcome.IGNORED)).isEqualTo(Decision.TAKEN);
        assertThat(leases().isOut(11)).isFalse();
    }

    @Test
    void whatWasNeverPoppedIsNotAcknowledged() {
        assertThat(ack(new LeaseId(14, POPPED), 14)).isEqualTo(Decision.TOO_LATE);
        Done elsewhere = new Done(new QueueKey("g", "T", 1), LEASE, OVER, new long[] {10});
        assertThat(acks.ack(elsewhere, Runnable::run, told)).isEqualTo(Decision.TOO_LATE);
        assertThat(ack(new LeaseId(10, POPPED + 1), 10)).isEqualTo(Decision.TOO_LATE);
        assertThat(told.ended()).isEqualTo("open");
    }

    private Decision ack(LeaseId lease, long... offsets) {
        return acks.ack(done(lease, offsets), Runnable::run, told);
    }

    private static Done done(LeaseId lease, long... offsets) {
        return new Done(QUEUE, lease, OVER, offsets);
    }

    private void apply(LeaseChange change) {
        proposals.propose(change, Outcome.IGNORED);
    }

    private QueueLeases leases() {
        return state.leases().find(QUEUE).orElseThrow();
    }
}
