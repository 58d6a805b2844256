package io.anser.broker.offset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Change.TopicDeleted;
import io.anser.broker.metadata.Change.TopicSaved;
import io.anser.broker.metadata.OffsetTable;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.testing.InMemoryLog;
import io.anser.broker.testing.RecordedOutcome;
import io.anser.protocol.body.TopicConfig;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import io.anser.system.VirtualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OffsetCommitsTest {
    private static final QueueKey QUEUE = new QueueKey("orders-group", "Orders", 3);
    private static final QueueKey OTHER = new QueueKey("orders-group", "Orders", 4);
    private static final Duration MERGED = Duration.ofMillis(100);

    private final VirtualTime time = new VirtualTime();
    private final BrokerState state = new BrokerState(List.of());
    private final InMemoryLog log = new InMemoryLog(state);
    private final OffsetResets resets = new OffsetResets(time);
    private final OffsetCommits commits = new OffsetCommits(state.offsets(), resets, new Proposals(log), time);

    private MessageStore store;
    private BrokerState stored;
    private QueueLog handle;

    @BeforeEach
    void open(@TempDir Path directory) {
        StoreSettings settings =
                StoreSettings.defaults().withDirectory(directory).withSegmentBytes(8 << 20);
        stored = new BrokerState(List.of());
        store = MessageStore.open(settings, stored, (queue, from, until) -> {}, time, (where, cause) -> {
            throw new AssertionError(where, cause);
        });
        stored.attach(store::queue);
        handle = store.queue("Orders", 3);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aCommitThatADeletionOvertakesDoesNotReachTheTopicMadeAnew() {
        QueueKey elsewhere = new QueueKey("orders-group", "Elsewhere", 0);
        AtomicBoolean deleting = new AtomicBoolean(true);
        Proposals storing = new Proposals(store::append);
        OffsetCommits overtaken = new OffsetCommits(
                stored.offsets(),
                resets,
                new Proposals(unit -> {
                    if (deleting.getAndSet(false)) {
                        storing.propose(new TopicDeleted("Orders"), Outcome.IGNORED);
                        storing.propose(new TopicSaved(1, new TopicConfig("Orders", 8, 8, 6)), Outcome.IGNORED);
                    }
                    store.append(unit);
                }),
                time);
        overtaken.commit(elsewhere, store.queue("Elsewhere", 0), 5);
        RecordedOutcome outcome = new RecordedOutcome();
        overtaken.commit(QUEUE, handle, 7, outcome);

        await().until(() -> stored.offsets().committed("orders-group", "Elsewhere", 0) == 5);
        await().until(() -> !outcome.ended().equals("open"));
        assertThat(stored.offsets().committed("orders-group", "Orders", 3)).isEqualTo(OffsetTable.NONE);
        assertThat(overtaken.current(QUEUE)).isEqualTo(OffsetTable.NONE);
    }

    @Test
    void aProposalThatBreaksDoesNotStopThoseAfterIt() {
        AtomicBoolean broken = new AtomicBoolean(true);
        OffsetCommits failing = new OffsetCommits(
                state.offsets(),
                resets,
                new Proposals(unit -> {
                    if (broken.getAndSet(false)) {
                        throw new IllegalStateException("the test's log is broken");
                    }
                    log.append(unit);
                }),
                time);
        RecordedOutcome first = new RecordedOutcome();
        assertThatThrownBy(() -> failing.commit(QUEUE, handle, 7, first)).hasMessage("the test's log is broken");
        RecordedOutcome second = new RecordedOutcome();
        failing.commit(QUEUE, handle, 8, second);

        assertThat(first.ended()).isEqualTo("failed IO");
        assertThat(second.ended()).isEqualTo("committed");
        assertThat(committed(QUEUE)).isEqualTo(8);
    }

    @Test
    void aCommitThatWaitsToBeMergedDoesNotUndoAResetThatCameAfterIt() {
        commits.commit(QUEUE, handle, 9);

        RecordedOutcome outcome = new RecordedOutcome();
        assertThat(commits.reset(QUEUE, handle, 3, true, outcome)).isTrue();
        time.advance(MERGED);

        assertThat(outcome.ended()).isEqualTo("committed");
        assertThat(committed(QUEUE)).isEqualTo(3);
    }

    @Test
    void afterAResetCommitsCountForNothingUntilAMemberReadsThere() {
        commits.reset(QUEUE, handle, 3, true, new RecordedOutcome());
        commits.commit(QUEUE, handle, 9);
        RecordedOutcome held = new RecordedOutcome();
        commits.commit(QUEUE, handle, 9, held);
        time.advance(MERGED);

        assertThat(held.ended()).isEqualTo("failed BUSY");
        assertThat(committed(QUEUE)).isEqualTo(3);
        assertThat(resets.target("orders-group", "Orders", 3, 9)).isEqualTo(3);
        assertThat(resets.target("orders-group", "Orders", 3, 3)).isEqualTo(OffsetResets.NONE);
        commits.commit(QUEUE, handle, 9);
        time.advance(MERGED);
        assertThat(committed(QUEUE)).isEqualTo(9);
    }

    @Test
    void aCommitOfTheNewPlaceEndsAReset() {
        commits.reset(QUEUE, handle, 3, true, new RecordedOutcome());

        commits.commit(QUEUE, handle, 3);

        assertThat(resets.target("orders-group", "Orders", 3, 9)).isEqualTo(OffsetResets.NONE);
    }

    @Test
    void aResetThatTheLogRefusesHoldsNobodyBack() {
        AtomicBoolean broken = new AtomicBoolean(true);
        OffsetCommits failing = new OffsetCommits(
                state.offsets(),
                resets,
                new Proposals(unit -> {
                    if (broken.getAndSet(false)) {
                        throw new StoreException(StoreException.Kind.FULL, "the test's log is full");
                    }
                    log.append(unit);
                }),
                time);
        RecordedOutcome outcome = new RecordedOutcome();

        failing.reset(QUEUE, handle, 3, true, outcome);

        assertThat(outcome.ended()).isEqualTo("failed FULL");
        assertThat(resets.target("orders-group", "Orders", 3, 9)).isEqualTo(OffsetResets.NONE);
    }

    @Test
    void aResetToWhichNobodyComesIsForgottenAfterAnHour() {
        commits.reset(QUEUE, handle, 3, true, new RecordedOutcome());
        time.advance(Duration.ofMinutes(59));
        assertThat(resets.target("orders-group", "Orders", 3, 9)).isEqualTo(3);

        commits.reset(OTHER, handle, 3, true, new RecordedOutcome());
        time.advance(Duration.ofMinutes(61));
        commits.reset(QUEUE, handle, 3, true, new RecordedOutcome());

        assertThat(resets.waiting()).isEqualTo(1);
    }

    @Test
    void aResetOfATopicThatIsGoneIsForgotten() {
        commits.reset(QUEUE, handle, 3, true, new RecordedOutcome());

        commits.forget(queue -> queue.topic().equals("Orders"));

        assertThat(resets.target("orders-group", "Orders", 3, 9)).isEqualTo(OffsetResets.NONE);
    }

    @Test
    void commitIsReadAtOnceAndAppliedAfterTheMerge() {
        assertThat(commits.commit(QUEUE, handle, 7)).isTrue();

        assertThat(commits.current(QUEUE)).isEqualTo(7);
        assertThat(committed(QUEUE)).isEqualTo(OffsetTable.NONE);
        time.advance(MERGED);
        assertThat(committed(QUEUE)).isEqualTo(7);
        assertThat(commits.current(QUEUE)).isEqualTo(7);
    }

    @Test
    void commitsOfAHundredMillisecondsAreOneRecordWithTheLastOffsetOfEachQueue() {
        commits.commit(QUEUE, handle, 1);
        time.advance(Duration.ofMillis(99));
        commits.commit(QUEUE, handle, 2);
        commits.commit(OTHER, handle, 5);
        time.advance(Duration.ofMillis(1));

        assertThat(log.records()).isEqualTo(1);
        assertThat(log.changes()).isEqualTo(2);
        assertThat(committed(QUEUE)).isEqualTo(2);
        assertThat(committed(OTHER)).isEqualTo(5);
    }

    @Test
    void unchangedOffsetIsNotAppended() {
        commits.commit(QUEUE, handle, 7);
        time.advance(MERGED);

        commits.commit(QUEUE, handle, 7);
        RecordedOutcome answered = new RecordedOutcome();
        commits.commit(QUEUE, handle, 7, answered);
        time.advance(Duration.ofMinutes(1));

        assertThat(answered.ended()).isEqualTo("committed");
        assertThat(log.records()).isEqualTo(1);
    }

    @Test
    void offsetThatChangedAndChangedBackIsNotAppended() {
        commits.commit(QUEUE, handle, 7);
        time.advance(MERGED);

        commits.commit(QUEUE, handle, 8);
        commits.commit(QUEUE, handle, 7);
        time.advance(MERGED);

        assertThat(log.records()).isEqualTo(1);
        assertThat(commits.current(QUEUE)).isEqualTo(7);
    }

    @Test
    void offsetMayGoBack() {
        commits.commit(QUEUE, handle, 70);
        time.advance(MERGED);
        commits.commit(QUEUE, handle, 3);
        time.advance(MERGED);

        assertThat(committed(QUEUE)).isEqualTo(3);
    }

    @Test
    void awaitedCommitIsProposedAtOnceAndToldWhenCommitted() {
        log.hold();
        RecordedOutcome outcome = new RecordedOutcome();
        commits.commit(QUEUE, handle, 7, outcome);

        assertThat(log.records()).isEqualTo(1);
        assertThat(outcome.ended()).isEqualTo("open");
        log.commit();
        assertThat(outcome.ended()).isEqualTo("committed");
        assertThat(committed(QUEUE)).isEqualTo(7);
    }

    @Test
    void awaitedCommitTakesWaitingOnesAlong() {
        commits.commit(OTHER, handle, 5);
        commits.commit(QUEUE, handle, 7, new RecordedOutcome());

        assertThat(committed(OTHER)).isEqualTo(5);
        time.advance(MERGED);
        assertThat(log.records()).isEqualTo(1);
    }

    @Test
    void commitsDuringAProposalFollowInTheNextOneInOrder() {
        log.hold();
        RecordedOutcome first = new RecordedOutcome();
        RecordedOutcome second = new RecordedOutcome();
        commits.commit(QUEUE, handle, 7, first);
        commits.commit(QUEUE, handle, 9, second);
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
        commits.commit(QUEUE, handle, 7, new RecordedOutcome());
        commits.commit(QUEUE, handle, 9);
        time.advance(MERGED);
        log.commit();
        time.advance(MERGED);

        assertThat(committed(QUEUE)).isEqualTo(9);
    }

    @Test
    void repeatedCommitOfAnOffsetOnItsWayWaitsForIt() {
        log.hold();
        commits.commit(QUEUE, handle, 7, new RecordedOutcome());
        RecordedOutcome again = new RecordedOutcome();
        commits.commit(QUEUE, handle, 7, again);

        assertThat(again.ended()).isEqualTo("open");
        log.commit();
        assertThat(again.ended()).isEqualTo("committed");
        assertThat(log.records()).isEqualTo(1);
    }

    @Test
    void failedProposalIsToldAndItsOffsetForgotten() {
        log.hold();
        RecordedOutcome outcome = new RecordedOutcome();
        commits.commit(QUEUE, handle, 7, outcome);
        log.failAll();

        assertThat(outcome.ended()).isEqualTo("failed IO");
        assertThat(commits.current(QUEUE)).isEqualTo(OffsetTable.NONE);
    }

    @Test
    void busyLogIsToldToTheOneWhoWaits() {
        log.refuse();
        RecordedOutcome outcome = new RecordedOutcome();
        commits.commit(QUEUE, handle, 7, outcome);

        assertThat(outcome.ended()).isEqualTo("failed BUSY");
    }

    @Test
    void moreQueuesThanOneProposalHoldsAreAllCommitted() {
        for (int queueId = 0; queueId < 3000; queueId++) {
            commits.commit(new QueueKey("orders-group", "Orders", queueId), handle, 11);
        }
        RecordedOutcome outcome = new RecordedOutcome();
        commits.commit(QUEUE, handle, 12, outcome);

        assertThat(outcome.ended()).isEqualTo("committed");
        assertThat(log.changes()).isEqualTo(3000);
        assertThat(committed(QUEUE)).isEqualTo(12);
        assertThat(committed(new QueueKey("orders-group", "Orders", 2999))).isEqualTo(11);
    }

    @Test
    void closingProposesWhatWaitsWithoutTheMerge() {
        log.hold();
        commits.commit(OTHER, handle, 5, new RecordedOutcome());
        commits.commit(QUEUE, handle, 7);
        commits.close();
        log.commit();

        assertThat(committed(OTHER)).isEqualTo(5);
        assertThat(committed(QUEUE)).isEqualTo(7);
    }

    private long committed(QueueKey queue) {
        return state.offsets().committed(queue.group(), queue.topic(), queue.queueId());
    }
}
