package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import io.anser.store.snapshot.SnapshotPart;
import io.anser.store.state.HeldState;
import io.anser.store.state.StateMachine;
import io.anser.store.state.StateSection;
import io.anser.system.VirtualTime;
import java.io.DataInput;
import java.io.DataOutput;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parts of the state with a section of their own in every snapshot. */
class StateSectionTest {
    @TempDir
    private Path directory;

    private final VirtualTime time = new VirtualTime();

    /** Counts what it is shown, in sections. */
    private static final class Counter implements StateMachine {
        private final List<String> names;
        private int count;
        private final List<String> read = new ArrayList<>();

        Counter(String... names) {
            this.names = List.of(names);
        }

        @Override
        public void applyState(short kind, ByteBuffer payload, long position) {
            count++;
        }

        @Override
        public void applyMessage(
                QueueLog queue,
                long queueOffset,
                long position,
                int bytes,
                int tagsHash,
                long storeTimestamp,
                ByteBuffer message) {}

        @Override
        public void applyListed(String topic, long queueOffset, long storeTimestamp) {}

        @Override
        public void writeSnapshot(DataOutput out) {}

        @Override
        public void readSnapshot(DataInput in) {}

        @Override
        public List<StateSection> sections() {
            return names.stream()
                    .map(name -> new StateSection(name, () -> hold(name), in -> read.add(name + "=" + in.readInt())))
                    .toList();
        }

        private HeldState hold(String name) {
            int now = name.equals("count") ? count : -1;
            return out -> out.writeInt(now);
        }
    }

    private Counter run(Counter state, int changes) {
        StoreSettings settings =
                StoreSettings.defaults().withDirectory(directory).withSegmentBytes(64 << 10);
        try (MessageStore store =
                MessageStore.open(settings, state, (queue, from, until) -> {}, time, (where, cause) -> {
                    throw new AssertionError(where, cause);
                })) {
            for (int i = 0; i < changes; i++) {
                TestUnit unit = TestUnit.state(7, "x");
                store.append(unit);
                unit.await();
            }
        }
        return state;
    }

    @Test
    void aSectionComesBackWithTheSnapshot() {
        run(new Counter("count"), 3);

        Counter reopened = run(new Counter("count"), 0);

        assertThat(reopened.read).containsExactly("count=3");
        assertThat(reopened.count).as("replayed").isZero();
    }

    @Test
    void aSectionThatCameLaterIsNotReadFromAnOlderSnapshot() {
        run(new Counter("count"), 3);

        assertThat(run(new Counter("count", "later"), 0).read).containsExactly("count=3");
        assertThat(run(new Counter("count", "later"), 0).read).containsExactlyInAnyOrder("count=0", "later=-1");
    }

    @Test
    void aSnapshotWithASectionThatIsUnknownStopsTheStartAndLosesNothing() {
        run(new Counter("count", "later", "latest"), 3);

        assertThatThrownBy(() -> run(new Counter("count"), 0))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("sections that this program does not know and would lose: [later, latest] in "
                        + directory.resolve("snapshot"))
                .hasMessageContaining("start the program that wrote it, or a newer one");

        assertThat(run(new Counter("count", "later", "latest"), 0).read)
                .containsExactlyInAnyOrder("count=3", "later=-1", "latest=-1");
    }

    @Test
    void twoSectionsOfOneNameAreRefused() {
        assertThatThrownBy(() -> run(new Counter("count", "count"), 0))
                .hasMessage("two sections of the state are named count");
        assertThatThrownBy(() -> run(new Counter("queues"), 0))
                .hasMessage("two sections of the state are named queues");
        run(new Counter("count"), 0); // the directory is free again
    }

    @Test
    void aNameThatASnapshotCannotKeepIsRefused() {
        assertThat(new StateSection("ü".repeat(127), StateSectionTest::hold, in -> {}).name())
                .hasSize(127);

        for (String name : List.of("", "ü".repeat(128), "x".repeat(256))) {
            assertThatThrownBy(() -> new StateSection(name, StateSectionTest::hold, in -> {}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("it needs 1 to 255");
            assertThatThrownBy(() -> new SnapshotPart(name, out -> {}, in -> {}))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static HeldState hold() {
        return out -> {};
    }
}
