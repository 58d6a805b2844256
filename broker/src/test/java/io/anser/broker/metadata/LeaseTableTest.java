package io.anser.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.metadata.Change.GroupDeleted;
import io.anser.broker.metadata.Change.OffsetCommitted;
import io.anser.broker.metadata.Change.TopicDeleted;
import io.anser.broker.metadata.Change.TopicSaved;
import io.anser.broker.metadata.LeaseChange.Popped;
import io.anser.broker.metadata.LeaseChange.Renewed;
import io.anser.broker.metadata.LeaseChange.Settled;
import io.anser.broker.metadata.QueueLeases.Hole;
import io.anser.broker.metadata.QueueLeases.Left;
import io.anser.protocol.body.MessageRequestMode;
import io.anser.protocol.body.RequestMode;
import io.anser.protocol.body.TopicConfig;
import io.anser.store.state.StateSection;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class LeaseTableTest {
    private static final QueueKey QUEUE = new QueueKey("g", "T", 1);
    private static final QueueKey OTHER = new QueueKey("g", "U", 0);

    private final BrokerState state = fresh();

    @Test
    void theCommittedOffsetFollowsTheLeases() {
        apply(new OffsetCommitted(QUEUE, 5));
        apply(popped(QUEUE, 5, 8, 1, 5, 6, 7));
        assertThat(committed(QUEUE)).isEqualTo(5);

        apply(new Settled(QUEUE, new LeaseId(5, 1), 0b011));
        assertThat(committed(QUEUE)).isEqualTo(7);
        apply(new Settled(QUEUE, new LeaseId(5, 1), 0b100));
        assertThat(committed(QUEUE)).isEqualTo(8);
    }

    @Test
    void aGroupWithoutAnOffsetHasTheWholeQueueBeforeIt() {
        apply(popped(QUEUE, 40, 42, 1, 41));

        assertThat(leases(QUEUE).holes()).containsExactly(new Hole(0, 40));
        assertThat(committed(QUEUE)).isZero();
    }

    @Test
    void anOffsetThatSomebodySetsEndsTheLeases() {
        apply(popped(QUEUE, 0, 3, 1, 0, 1, 2));

        apply(new OffsetCommitted(QUEUE, 2));

        assertThat(leases(QUEUE).live()).isZero();
        assertThat(leases(QUEUE).frontier()).isEqualTo(2);
        assertThat(leases(QUEUE).resets()).isEqualTo(1);
        apply(new Settled(QUEUE, new LeaseId(0, 1), 0b111));
        assertThat(committed(QUEUE)).isEqualTo(2);
    }

    @Test
    void theOffsetThatHoldsAnywayChangesNothing() {
        apply(popped(QUEUE, 0, 3, 1, 0, 1, 2));

        apply(new OffsetCommitted(QUEUE, 0));

        assertThat(leases(QUEUE).live()).isEqualTo(3);
    }

    @Test
    void aDeletedTopicLosesItsLeasesAndSoDoesADeletedGroup() {
        apply(new TopicSaved(1, new TopicConfig("T", 4, 4, 6)));
        apply(popped(QUEUE, 0, 1, 1, 0));
        apply(popped(OTHER, 0, 1, 1, 0));
        apply(new RequestModeSaved(new RequestMode("T", "g", MessageRequestMode.POP, 0)));
        apply(new RequestModeSaved(new RequestMode("U", "g", MessageRequestMode.POP, 0)));

        apply(new TopicDeleted("T"));
        assertThat(state.leases().find(QUEUE)).isEmpty();
        assertThat(state.leases().find(OTHER)).isPresent();
        assertThat(state.requestModes().find("g", "T")).isEmpty();
        apply(new GroupDeleted("g", false));
        assertThat(state.leases().find(OTHER)).isEmpty();
        assertThat(state.requestModes().size()).isZero();
        assertThat(committed(OTHER)).isZero();
    }

    @Test
    void aSnapshotHoldsWhatIsOutAndWhatIsInAHole() throws IOException {
        apply(popped(QUEUE, 0, 4, 1, 0, 1, 3));
        apply(new Settled(QUEUE, new LeaseId(0, 1), 0b001));
        apply(new Renewed(QUEUE, new LeaseId(0, 1), 2, 9, 77));
        apply(popped(QUEUE, 6, 7, 5, 6));
        apply(new Popped(OTHER, 0, 1, new Lease(new long[] {0}, 3, 50, new byte[] {4}, "try")));
        QueueKey done = new QueueKey("g", "V", 0);
        apply(popped(done, 0, 1, 1, 0));
        apply(new Settled(done, new LeaseId(0, 1), 1));
        apply(new RequestModeSaved(new RequestMode("T", "g", MessageRequestMode.POP, 3)));

        BrokerState other = fresh();
        copy(state, other);

        QueueLeases restored = other.leases().find(QUEUE).orElseThrow();
        assertThat(restored.frontier()).isEqualTo(7);
        assertThat(restored.holes()).containsExactly(new Hole(4, 6));
        assertThat(restored.live()).isEqualTo(3);
        assertThat(restored.base()).isEqualTo(1);
        assertThat(restored.left())
                .usingRecursiveComparison()
                .isEqualTo(leases(QUEUE).left());
        Left ordered = other.leases().find(OTHER).orElseThrow().left().get(0);
        assertThat(ordered.lease().attempts()).containsExactly(4);
        assertThat(ordered.lease().attemptId()).isEqualTo("try");
        assertThat(ordered.lease().visibleMillis()).isEqualTo(50);
        assertThat(other.leases().find(done)).isEmpty();
        assertThat(other.requestModes().find("g", "T")).contains(new RequestMode("T", "g", MessageRequestMode.POP, 3));
    }

    private static void copy(BrokerState from, BrokerState to) throws IOException {
        for (StateSection section : from.sections()) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            section.source().hold().write(new DataOutputStream(bytes));
            for (StateSection same : to.sections()) {
                if (same.name().equals(section.name())) {
                    same.reader().read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
                }
            }
        }
    }

    private long committed(QueueKey queue) {
        return state.offsets().committed(queue.group(), queue.topic(), queue.queueId());
    }

    private QueueLeases leases(QueueKey queue) {
        return state.leases().find(queue).orElseThrow();
    }

    private void apply(Change change) {
        state.applyState(change.kind(), ByteBuffer.wrap(change.payload()), 1);
    }

    private static Popped popped(QueueKey queue, long from, long until, long popMillis, long... offsets) {
        return new Popped(queue, from, until, Lease.of(offsets, popMillis, 1000));
    }

    private static BrokerState fresh() {
        return new BrokerState(SystemTopics.of("C", "b", 8));
    }
}
