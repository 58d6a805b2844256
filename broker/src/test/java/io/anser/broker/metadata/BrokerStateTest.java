package io.anser.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.broker.metadata.Change.BrokerStarted;
import io.anser.broker.metadata.Change.GroupDeleted;
import io.anser.broker.metadata.Change.GroupSaved;
import io.anser.broker.metadata.Change.OffsetCommitted;
import io.anser.broker.metadata.Change.OrderLockMoved;
import io.anser.broker.metadata.Change.TimerFired;
import io.anser.broker.metadata.Change.TopicDeleted;
import io.anser.broker.metadata.Change.TopicSaved;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.body.TopicConfig;
import io.anser.store.state.HeldState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BrokerStateTest {
    private static final QueueKey QUEUE = new QueueKey("g", "T", 2);

    private final BrokerState state = fresh();

    @Test
    void theFixedTopicsAreThereWithoutARecord() {
        assertThat(state.topics().all())
                .extracting(Topic::name)
                .contains("TBW102", "SELF_TEST_TOPIC", "BenchmarkTest", "C", "b", "SCHEDULE_TOPIC_XXXX");
        assertThat(state.topics().find("TBW102").orElseThrow().inheritable()).isTrue();
        assertThat(state.topics().version()).isZero();
    }

    @Test
    void withoutAutomaticCreationThereIsNoPattern() {
        assertThat(SystemTopics.of("C", "b", 0))
                .extracting(TopicConfig::topicName)
                .doesNotContain("TBW102");
    }

    @Test
    void aSavedTopicReplacesTheOneBefore() {
        apply(new TopicSaved(5, new TopicConfig("T", 4, 4, 6)));
        apply(new TopicSaved(5, new TopicConfig("T", 2, 8, 4)));

        Topic topic = state.topics().find("T").orElseThrow();
        assertThat(topic.queueCount()).isEqualTo(8);
        assertThat(topic.config().perm()).isEqualTo(4);
        assertThat(topic.createdMillis()).isEqualTo(5);
        assertThat(state.topics().version()).isEqualTo(2);
    }

    @Test
    void offsetsAreKeptPerGroupAndQueue() {
        apply(new OffsetCommitted(QUEUE, 7));
        apply(new OffsetCommitted(new QueueKey("g", "T", 9), 1));

        assertThat(state.offsets().committed("g", "T", 2)).isEqualTo(7);
        assertThat(state.offsets().committed("g", "T", 9)).isEqualTo(1);
        assertThat(state.offsets().committed("g", "T", 0)).isEqualTo(OffsetTable.NONE);
        assertThat(state.offsets().committed("g", "T", 10)).isEqualTo(OffsetTable.NONE);
        assertThat(state.offsets().committed("g", "T", -1)).isEqualTo(OffsetTable.NONE);
        assertThat(state.offsets().committed("other", "T", 2)).isEqualTo(OffsetTable.NONE);
    }

    @Test
    void anOrderLockWithoutOwnerIsFree() {
        apply(new OrderLockMoved(QUEUE, "c1"));
        assertThat(state.orderLocks().owner(QUEUE)).contains("c1");

        apply(new OrderLockMoved(QUEUE, ""));
        assertThat(state.orderLocks().owner(QUEUE)).isEmpty();
    }

    @Test
    void aSnapshotHoldsTheWholeState() throws IOException {
        apply(new BrokerStarted(1));
        apply(new BrokerStarted(2));
        apply(new TopicSaved(5, new TopicConfig("T", 4, 4, 6)));
        apply(new GroupSaved(SubscriptionGroupConfig.defaults("g")));
        apply(new OffsetCommitted(QUEUE, 7));
        apply(new OrderLockMoved(QUEUE, "c1"));
        state.timers().add(new PendingTimer(100, 3));
        state.timers().add(new PendingTimer(50, 4));

        BrokerState other = fresh();
        other.applyState((short) 1, ByteBuffer.wrap(new TopicSaved(1, new TopicConfig("gone", 1, 1, 6)).payload()), 0);
        other.readSnapshot(new DataInputStream(new ByteArrayInputStream(snapshot(state))));

        assertThat(other.starts()).isEqualTo(2);
        assertThat(other.topics().find("T").orElseThrow().config()).isEqualTo(new TopicConfig("T", 4, 4, 6));
        assertThat(other.topics().find("T").orElseThrow().createdMillis()).isEqualTo(5);
        assertThat(other.topics().find("gone")).isEmpty();
        assertThat(other.topics().find("TBW102")).isPresent();
        assertThat(other.topics().version()).isEqualTo(1);
        assertThat(other.groups().find("g")).contains(SubscriptionGroupConfig.defaults("g"));
        assertThat(other.offsets().committed("g", "T", 2)).isEqualTo(7);
        assertThat(other.orderLocks().owner(QUEUE)).contains("c1");
        assertThat(other.timers().all()).containsExactly(new PendingTimer(50, 4), new PendingTimer(100, 3));
        assertThat(snapshot(other)).isEqualTo(snapshot(state));
    }

    @Test
    void aHoldOnTheStateIsNotMovedByLaterChanges() throws IOException {
        apply(new TopicSaved(5, new TopicConfig("T", 4, 4, 6)));
        apply(new GroupSaved(SubscriptionGroupConfig.defaults("g")));
        apply(new OffsetCommitted(QUEUE, 7));
        apply(new OrderLockMoved(QUEUE, "c1"));
        byte[] before = snapshot(state);

        HeldState held = state.hold();
        apply(new OffsetCommitted(QUEUE, 8));
        apply(new TopicSaved(6, new TopicConfig("U", 4, 4, 6)));
        apply(new GroupSaved(SubscriptionGroupConfig.defaults("h")));
        apply(new TopicDeleted("T"));
        apply(new GroupDeleted("g", true));

        ByteArrayOutputStream after = new ByteArrayOutputStream();
        held.write(new DataOutputStream(after));
        assertThat(after.toByteArray()).isEqualTo(before);
    }

    @Test
    void aCommitThatWasOnItsWayWhenTheTopicWasDeletedDoesNotReachTheNextOne() {
        apply(new TopicSaved(5, new TopicConfig("T", 4, 4, 6)));
        apply(new OffsetCommitted(QUEUE, 7));
        apply(new TopicDeleted("T"));
        apply(new OffsetCommitted(QUEUE, 8));
        apply(new TopicSaved(6, new TopicConfig("T", 4, 4, 6)));

        assertThat(state.offsets().committed("g", "T", 2)).isEqualTo(OffsetTable.NONE);
    }

    @Test
    void aSnapshotOfAnotherVersionIsRefused() {
        byte[] newer = {0, 0, 0, 2};

        assertThatThrownBy(() -> state.readSnapshot(new DataInputStream(new ByteArrayInputStream(newer))))
                .isInstanceOf(IOException.class)
                .hasMessage("snapshot version=2, this broker reads 1");
    }

    @Test
    void aFiredTimerWaitsNoLongerAndFiringItAgainDoesNoHarm() {
        PendingTimer timer = new PendingTimer(100, 3);
        state.timers().add(timer);

        apply(new TimerFired(timer));
        apply(new TimerFired(timer));

        assertThat(state.timers().all()).isEmpty();
        assertThat(state.timers().size()).isZero();
    }

    /** A replica that began with a snapshot would have freed a key that the others keep. */
    @Test
    void aSecondEndOfATransactionChangesNothing() {
        DedupKey key = new DedupKey(1, 2);
        state.dedup().apply(new Change.KeyTaken(key, 0, 1000), 7);
        state.dedup().message(7, 0, 1000, true);

        apply(new TransactionChange.TransactionEnded(7, TransactionEnd.ROLLED_BACK, 1100));
        apply(new TimerRecalled(new PendingTimer(100, 7), "u"));
        assertThat(state.dedup().find(key, 1200)).isPresent();
    }

    @Test
    void aMovedTimerWaitsNoLongerWhereItWas() {
        PendingTimer timer = new PendingTimer(100, 3);
        state.timers().add(timer);
        state.timers().add(new PendingTimer(100, 9));

        apply(new TimerMoved(timer));

        assertThat(state.timers().all()).containsExactly(new PendingTimer(100, 9));
    }

    @Test
    void listenersHearOfNewTimersWhenTheyAreThere() {
        List<String> heard = new ArrayList<>();
        state.timers()
                .onAdded(timer ->
                        heard.add(timer.dueMillis() + " of " + state.timers().size()));

        state.timers().add(new PendingTimer(100, 1));
        state.timers().add(new PendingTimer(200, 2));
        state.timers().add(new PendingTimer(200, 2));

        assertThat(heard).containsExactly("100 of 1", "200 of 2");
    }

    /** Whoever asked may have gone, or may have asked another broker of the group. */
    @Test
    void whoPutsSettingsInForceHearsOfEachChange() {
        List<String> heard = new ArrayList<>();
        state.settings().onChanged(() -> heard.add(state.settings().changed().toString()));

        apply(new SettingsChanged(new TreeMap<>(Map.of("a", "1", "b", "2"))));
        apply(new SettingsChanged(new TreeMap<>(Map.of("a", ""))));

        assertThat(heard).containsExactly("{}", "{a=1, b=2}", "{b=2}");
    }

    private void apply(Change change) {
        state.applyState(change.kind(), ByteBuffer.wrap(change.payload()), 0);
    }

    private static BrokerState fresh() {
        return new BrokerState(SystemTopics.of("C", "b", 8));
    }

    private static byte[] snapshot(BrokerState state) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        state.writeSnapshot(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }
}
