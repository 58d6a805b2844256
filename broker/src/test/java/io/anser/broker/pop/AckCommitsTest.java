package io.anser.broker.pop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Lease;
import io.anser.broker.metadata.LeaseChange.Popped;
import io.anser.broker.metadata.LeaseId;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.QueueLeases;
import io.anser.broker.metadata.QueueLeases.Claim;
import io.anser.broker.pop.AckCommits.Ack;
import io.anser.broker.testing.InMemoryLog;
import io.anser.broker.testing.RecordedOutcome;
import io.anser.store.file.StoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AckCommitsTest {
    private static final QueueKey QUEUE = new QueueKey("g", "T", 0);
    private static final LeaseId LEASE = new LeaseId(0, 1);

    private final BrokerState state = new BrokerState(List.of());
    private final InMemoryLog log = new InMemoryLog(state);
    private final Proposals proposals = new Proposals(log);
    private final AckCommits commits = new AckCommits(proposals);

    private Executor loop = Runnable::run;

    @BeforeEach
    void pop() {
        long[] offsets = new long[32];
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = i;
        }
        proposals.propose(new Popped(QUEUE, 0, 32, Lease.of(offsets, 1, 1000)), Outcome.IGNORED);
    }

    @Test
    void thoseThatComeWhileOneIsOnItsWayAreOneChange() {
        int before = log.records();
        log.hold();
        List<RecordedOutcome> told = new ArrayList<>();
        for (int place = 0; place < 32; place++) {
            told.add(ack(1 << place));
        }
        assertThat(log.records()).isEqualTo(before + 1);

        log.commit();

        assertThat(told).allMatch(each -> each.ended().equals("committed"));
        assertThat(log.records()).isEqualTo(before + 2);
        assertThat(log.changes()).isEqualTo(1 + 2);
        assertThat(leases().live()).isZero();
        assertThat(state.offsets().committed("g", "T", 0)).isEqualTo(32);
    }

    @Test
    void nothingIsToldBeforeItIsCommitted() {
        log.hold();
        RecordedOutcome told = ack(0b1);

        assertThat(told.ended()).isEqualTo("open");
        assertThat(leases().live()).isEqualTo(32);
        log.commit();
        assertThat(told.ended()).isEqualTo("committed");
    }

    @Test
    void whatTheLogDidNotTakeIsLeasedAsBefore() {
        log.hold();
        RecordedOutcome first = ack(0b01);
        RecordedOutcome second = ack(0b10);
        assertThat(leases().claimMove(LEASE, 0b01)).isEqualTo(Claim.TAKEN);

        log.failAll();

        assertThat(first.ended()).isEqualTo("failed IO");
        assertThat(second.ended()).isEqualTo("committed"); // it was not on its way yet
        assertThat(leases().claimMove(LEASE, 0b01)).isEqualTo(Claim.MARKED);
    }

    @Test
    void oneThatFailsLeavesTheMarkOfAnotherForTheSameMessage() {
        log.hold();
        ack(0b1);
        assertThat(leases().claimAck(LEASE, 0b1)).isEqualTo(Claim.MARKED); // another one, not on its way yet

        log.failAll();

        assertThat(leases().claimMove(LEASE, 0b1)).isEqualTo(Claim.TAKEN);
    }

    @Test
    void eachIsToldOnceThoughOneOfThemThrows() {
        Queue<Runnable> turn = new ArrayDeque<>();
        loop = turn::add;
        log.refuse();
        RuntimeException thrown = new IllegalStateException("the test's outcome");
        assertThat(leases().claimAck(LEASE, 0b10)).isEqualTo(Claim.MARKED);
        commits.add(
                new Ack(QUEUE, leases(), LEASE, 0b10, new Outcome() {
                    @Override
                    public void committed() {}

                    @Override
                    public void failed(StoreException reason) {
                        throw thrown;
                    }
                }),
                loop);
        RecordedOutcome told = ack(0b1);

        assertThatThrownBy(() -> turn.remove().run()).isSameAs(thrown);

        assertThat(told.ended()).isEqualTo("failed BUSY");
        assertThat(leases().claimMove(LEASE, 0b11)).isEqualTo(Claim.MARKED);
    }

    @Test
    void aRefusedOneIsTold() {
        log.refuse();

        assertThat(ack(0b1).ended()).isEqualTo("failed BUSY");
    }

    @Test
    void thoseThatOneTurnOfTheLoopBringsGoTogether() {
        Queue<Runnable> turn = new ArrayDeque<>();
        loop = turn::add;
        int before = log.records();
        RecordedOutcome first = ack(0b01);
        RecordedOutcome second = ack(0b10);
        assertThat(log.records()).isEqualTo(before);

        turn.forEach(Runnable::run);

        assertThat(turn).hasSize(1);
        assertThat(log.records()).isEqualTo(before + 1);
        assertThat(first.ended()).isEqualTo("committed");
        assertThat(second.ended()).isEqualTo("committed");
    }

    private RecordedOutcome ack(int mask) {
        RecordedOutcome told = new RecordedOutcome();
        assertThat(leases().claimAck(LEASE, mask)).isEqualTo(Claim.MARKED);
        commits.add(new Ack(QUEUE, leases(), LEASE, mask, told), loop);
        return told;
    }

    private QueueLeases leases() {
        return state.leases().find(QUEUE).orElseThrow();
    }
}
