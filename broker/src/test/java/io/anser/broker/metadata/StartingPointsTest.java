package io.anser.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.broker.metadata.Change.TopicDeleted;
import io.anser.broker.metadata.Change.TopicSaved;
import io.anser.broker.testing.RecordedOutcome;
import io.anser.protocol.body.ConsumeFromWhere;
import io.anser.protocol.body.TopicConfig;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.queue.QueueLog;
import io.anser.system.VirtualTime;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartingPointsTest {
    private static final QueueKey QUEUE = new QueueKey("g", "Orders", 1);
    private static final long YOUNG_MILLIS = 1_000;

    private final VirtualTime time = new VirtualTime(1_000_000);
    private final BrokerState state = new BrokerState(List.of());
    private MessageStore store;
    private Proposals storing;

    @BeforeEach
    void open(@TempDir Path directory) {
        StoreSettings settings =
                StoreSettings.defaults().withDirectory(directory).withSegmentBytes(8 << 20);
        store = MessageStore.open(settings, state, (queue, from, until) -> {}, time, (where, cause) -> {
            throw new AssertionError(where, cause);
        });
        state.attach(store::queue);
        storing = new Proposals(store::append);
        RecordedOutcome created = new RecordedOutcome();
        storing.propose(new TopicSaved(1, new TopicConfig("Orders", 2, 2, 6)), created);
        await().until(() -> created.ended().equals("committed"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aStartThatADeletionOvertakesDoesNotReachTheTopicMadeAnew() {
        AtomicBoolean deleting = new AtomicBoolean(true);
        StartingPoints overtaken = points(unit -> {
            if (deleting.getAndSet(false)) {
                storing.propose(new TopicDeleted("Orders"), Outcome.IGNORED);
                storing.propose(new TopicSaved(2, new TopicConfig("Orders", 2, 2, 6)), Outcome.IGNORED);
            }
            store.append(unit);
        });
        RecordedOutcome outcome = new RecordedOutcome();

        overtaken.settle("g", "Orders", ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET, outcome);

        await().until(() -> outcome.ended().equals("committed"));
        assertThat(state.topics().find("Orders").orElseThrow().createdMillis()).isEqualTo(2);
        assertThat(state.offsets().committed("g", "Orders", 1)).isEqualTo(OffsetTable.NONE);
        assertThat(state.groupStarts().find("g", "Orders")).isEmpty();
    }

    @Test
    void whoAsksBeforeItIsCommittedHearsWhatWasDecided() {
        HeldLog log = new HeldLog();
        StartingPoints points = points(log);
        QueueLog queue = store.queue("Orders", 1);
        assertThat(points.offset(QUEUE, queue)).as("nobody has said anything").isZero();

        RecordedOutcome outcome = new RecordedOutcome();
        points.settle("g", "Orders", ConsumeFromWhere.CONSUME_FROM_TIMESTAMP, outcome);

        assertThat(points.offset(QUEUE, queue)).isEqualTo(OffsetTable.NONE);
        assertThat(outcome.ended()).isEqualTo("open");
        log.failAll();
        assertThat(outcome.ended()).isEqualTo("failed IO");
        assertThat(points.offset(QUEUE, queue)).as("it was not settled").isZero();
    }

    @Test
    void twoMembersThatComeAtOnceAreOneProposal() {
        HeldLog log = new HeldLog();
        StartingPoints points = points(log);
        RecordedOutcome first = new RecordedOutcome();
        RecordedOutcome second = new RecordedOutcome();

        points.settle("g", "Orders", ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET, first);
        points.settle("g", "Orders", ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET, second);

        assertThat(log.size()).isEqualTo(1);
        log.commitAll();
        assertThat(List.of(first.ended(), second.ended())).containsOnly("committed");
    }

    @Test
    void whatIsSettledIsNotProposedAgain() {
        StartingPoints points = points(store::append);
        RecordedOutcome outcome = new RecordedOutcome();
        points.settle("g", "Orders", ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET, outcome);
        await().until(() -> outcome.ended().equals("committed"));
        HeldLog log = new HeldLog();
        RecordedOutcome again = new RecordedOutcome();

        points(log).settle("g", "Orders", ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET, again);

        assertThat(again.ended()).isEqualTo("committed");
        assertThat(log.size()).isZero();
    }

    private StartingPoints points(Appender log) {
        return new StartingPoints(state, new Proposals(log), time, YOUNG_MILLIS);
    }
}
