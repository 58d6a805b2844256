package io.anser.broker.offset;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.OffsetTable;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.testing.InMemoryLog;
import io.anser.broker.testing.RecordedOutcome;
import io.anser.system.VirtualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class OffsetCommitsTest {
    private static final QueueKey QUEUE = new QueueKey("orders-group", "Orders", 3);
    private static final QueueKey OTHER = new QueueKey("orders-group", "Orders", 4);
    private static final Duration MERGED = Duration.ofMillis(100);

    private final VirtualTime time = new VirtualTime();
    private final BrokerState state = new BrokerState(List.of());
    private final InMemoryLog log = new InMemoryLog(state);
    private final OffsetCommits commits = new OffsetCommits(state.offsets(), new Proposals(log), time);

    @Test
    void commitIsReadAtOnceAndAppliedAfterTheMerge() {
        assertThat(commits.commit(QUEUE, 7)).isTrue();

        assertThat(commits.current(QUEUE)).isEqualTo(7);
        assertThat(committed(QUEUE)).isEqualTo(OffsetTable.NONE);
        time.advance(MERGED);
        assertThat(committed(QUEUE)).isEqualTo(7);
        assertThat(commits.current(QUEUE)).isEqualTo(7);
    }

    @Test
    void commitsOfAHundredMillisecondsAreOneRecordWithTheLastOffsetOfEachQueue() {
        commits.commit(QUEUE, 1);
        time.advance(Duration.ofMillis(99));
        commits.commit(QUEUE, 2);
        commits.commit(OTHER, 5);
        time.advance(Duration.ofMillis(1));

        assertThat(log.records()).isEqualTo(1);
        assertThat(log.changes()).isEqualTo(2);
        assertThat(committed(QUEUE)).isEqualTo(2);
        assertThat(committed(OTHER)).isEqualTo(5);
    }

    @Test
    void unchangedOffsetIsNotAppended() {
        commits.commit(QUEUE, 7);
        time.advance(MERGED);

        commits.commit(QUEUE, 7);
        RecordedOutcome answered = new RecordedOutcome();
        commits.commit(QUEUE, 7, answered);
        time.advance(Duration.ofMinutes(1));

        assertThat(answered.ended()).isEqualTo("committed");
        assertThat(log.records()).isEqualTo(1);
    }

    @Test
    void offsetThatChangedAndChangedBackIsNotAppended() {
        commits.commit(QUEUE, 7);
        time.advance(MERGED);

        commits.commit(QUEUE, 8);
        commits.commit(QUEUE, 7);
        time.advance(MERGED);

        assertThat(log.records()).isEqualTo(1);
        assertThat(commits.current(QUEUE)).isEqualTo(7);
    }

    @Test
    void offsetMayGoBack() {
        commits.commit(QUEUE, 70);
        time.advance(MERGED);
        commits.commit(QUEUE, 3);
        time.advance(MERGED);

        assertThat(committed(QUEUE)).isEqualTo(3);
    }

    @Test
    void awaitedCommitIsProposedAtOnceAndToldWhenCommitted() {
        log.hold();
        RecordedOutcome outcome = new RecordedOutcome();
        commits.commit(QUEUE, 7, outcome);

        assertThat(log.records()).isEqualTo(1);
        assertThat(outcome.ended()).isEqualTo("open");
        log.commit();
        assertThat(outcome.ended()).isEqualTo("committed");
        assertThat(committed(QUEUE)).isEqualTo(7);
    }

    @Test
    void awaitedCommitTakesWaitingOnesAlong() {
        commits.commit(OTHER, 5);
        commits.commit(QUEUE, 7, new RecordedOutcome());

        assertThat(committed(OTHER)).isEqualTo(5);
        time.advance(MERGED);
        assertThat(log.records()).isEqualTo(1);
    }

    @Test
    void commitsDuringAProposalFollowInTheNextOneInOrder() {
        log.hold();
        RecordedOutcome first = new RecordedOutcome();
        RecordedOutcome second = new RecordedOutcome();
        commits.commit(QUEUE, 7, first);
        commits.commit(QUEUE, 9, second);
        assertThat(log.records()).isEqualTo(1);

        log.commit();

        assertThat(first.ended()).isEqualTo("committed");
        assertThat(second.ended()).isEqualTo("committed");
        assertThat(log.records()).isEqualTo(2);
        assertThat(committed(QUEUE)).isEqualTo(9);
    }

    @Test
    void unawaitedCommitDuringAProposalIsNotForgotten() {
        log.hold();
        commits.commit(QUEUE, 7, new RecordedOutcome());
        commits.commit(QUEUE, 9);
        time.advance(MERGED);
        log.commit();
        time.advance(MERGED);

        assertThat(committed(QUEUE)).isEqualTo(9);
    }

    @Test
    void repeatedCommitOfAnOffsetOnItsWayWaitsForIt() {
        log.hold();
        commits.commit(QUEUE, 7, new RecordedOutcome());
        RecordedOutcome again = new RecordedOutcome();
        commits.commit(QUEUE, 7, again);

        assertThat(again.ended()).isEqualTo("open");
        log.commit();
        assertThat(again.ended()).isEqualTo("committed");
        assertThat(log.records()).isEqualTo(1);
    }

    @Test
    void failedProposalIsToldAndItsOffsetForgotten() {
        log.hold();
        RecordedOutcome outcome = new RecordedOutcome();
        commits.commit(QUEUE, 7, outcome);
        log.failAll();

        assertThat(outcome.ended()).isEqualTo("failed IO");
        assertThat(commits.current(QUEUE)).isEqualTo(OffsetTable.NONE);
    }

    @Test
    void busyLogIsToldToTheOneWhoWaits() {
        log.refuse();
        RecordedOutcome outcome = new RecordedOutcome();
        commits.commit(QUEUE, 7, outcome);

        assertThat(outcome.ended()).isEqualTo("failed BUSY");
    }

    @Test
    void moreQueuesThanOneProposalHoldsAreAllCommitted() {
        for (int queueId = 0; queueId < 3000; queueId++) {
            commits.commit(new QueueKey("orders-group", "Orders", queueId), 11);
        }
        RecordedOutcome outcome = new RecordedOutcome();
        commits.commit(QUEUE, 12, outcome);

        assertThat(outcome.ended()).isEqualTo("committed");
        assertThat(log.changes()).isEqualTo(3000);
        assertThat(committed(QUEUE)).isEqualTo(12);
        assertThat(committed(new QueueKey("orders-group", "Orders", 2999))).isEqualTo(11);
    }

    @Test
    void closingProposesWhatWaitsWithoutTheMerge() {
        log.hold();
        commits.commit(OTHER, 5, new RecordedOutcome());
        commits.commit(QUEUE, 7);
        commits.close();
        log.commit();

        assertThat(committed(OTHER)).isEqualTo(5);
        assertThat(committed(QUEUE)).isEqualTo(7);
    }

    private long committed(QueueKey queue) {
        return state.offsets().committed(queue.group(), queue.topic(), queue.queueId());
    }
}
