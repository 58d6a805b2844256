package io.anser.broker.pop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.broker.filter.OthersFilter;
import io.anser.broker.filter.TagFilter;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Change;
import io.anser.broker.metadata.OffsetTable;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.StartingPoints;
import io.anser.broker.testing.RecordedOutcome;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.operation.PopMessage;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.log.Append;
import io.anser.system.VirtualTime;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The place of a group in queues whose topic is deleted while it is on its way into the log. */
class PopStartTest {
    private static final PopLimits LIMITS = new PopLimits(256 * 1024, 20, 64, 60_000, 100, 100);

    @TempDir
    private Path directory;

    private final VirtualTime time = new VirtualTime();
    private final BrokerState state = new BrokerState(List.of());
    private final Queue<Append> onTheWay = new ArrayDeque<>();
    private MessageStore store;
    private PopStart start;

    @BeforeEach
    void open() {
        store = MessageStore.open(
                StoreSettings.defaults().withDirectory(directory).withSegmentBytes(8 << 20),
                state,
                (arrivals, from, until) -> {},
                time,
                (where, cause) -> {
                    throw new AssertionError(where, cause);
                });
        state.attach(store::queue);
        Proposals held = new Proposals(onTheWay::add);
        start = new PopStart(held, new StartingPoints(state, held, time, 0));
        commit(new Change.TopicSaved(1, new TopicConfig("T", 1, 1, 6)));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void commit(Change change) {
        RecordedOutcome outcome = new RecordedOutcome();
        new Proposals(store::append).propose(change, outcome);
        await().until(() -> outcome.ended().equals("committed"));
    }

    private List<PopQueue> notStarted() {
        PopTopic topic = new PopTopic("g", "T", state, new PopReader(store, LIMITS.maxScanned()), LIMITS);
        return topic.notStarted(new PopWish(-1, 32, 60_000, TagFilter.ALL, OthersFilter.NONE, false, ""));
    }

    @Test
    void thePlaceIsCommitted() {
        RecordedOutcome outcome = new RecordedOutcome();
        start.start(notStarted(), PopMessage.INIT_MAX, outcome);
        store.append(onTheWay.remove());

        await().until(() -> outcome.ended().equals("committed"));
        assertThat(state.offsets().committed("g", "T", 0)).isZero();
    }

    /** It would be the place in a topic of the same name that is made next, and the messages before it be skipped. */
    @Test
    void thePlaceIsDroppedBehindTheDeletionOfTheTopic() {
        RecordedOutcome outcome = new RecordedOutcome();
        start.start(notStarted(), PopMessage.INIT_MAX, outcome);
        commit(new Change.TopicDeleted("T"));
        commit(new Change.TopicSaved(2, new TopicConfig("T", 1, 1, 6)));
        store.append(onTheWay.remove());

        await().until(() -> !outcome.ended().equals("open"));
        assertThat(outcome.ended()).isEqualTo("failed DROPPED");
        assertThat(state.offsets().committed("g", "T", 0)).isEqualTo(OffsetTable.NONE);
    }
}
