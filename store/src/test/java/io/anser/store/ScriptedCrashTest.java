package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.file.FaultyStorage;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.CommitListener;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Crashes that are worth a name, step by step; the simulation finds others. */
class ScriptedCrashTest {
    private FaultyStorage storage = new FaultyStorage();

    @Test
    void whatARestartFoundAfterAFailedForceSurvivesThePowerLossThatFollows() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "acknowledged"));
        storage.forcesUntilFailure = 0;
        String cached = "in the cache, not on the device".repeat(300); // more than one page of the cache
        TestUnit refused = TestUnit.message(store.queue(0), cached);
        store.commit(refused);
        assertThat(refused.failure).isNotNull();

        storage = storage.kill();
        HandDriven restarted = HandDriven.open(storage);
        assertThat(restarted.bodies(0)).containsExactly("acknowledged", cached);
        restarted.commit(TestUnit.message(restarted.queue(0), "acknowledged behind it"));

        for (int seed = 0; seed < 10; seed++) {
            HandDriven after = HandDriven.open(storage.losePower(new Random(seed)));
            assertThat(after.bodies(0)).containsExactly("acknowledged", cached, "acknowledged behind it");
        }
    }

    @Test
    void aSnapshotIsNotWrittenBehindAForceThatFailed() throws IOException {
        List<Runnable> worker = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        OpenedStore store = OpenedStore.open(
                HandDriven.settings().withDurability(Durability.MEMORY),
                storage,
                HandDriven.SEGMENT_BYTES,
                new RecordingState(),
                new Silence(),
                new VirtualTime(),
                worker::add,
                (where, cause) -> faults.add(cause.getMessage()));
        store.pipeline().append(TestUnit.message(store.queues().queue("T", 0), "in the cache only"));
        store.pipeline().runWriter();
        store.requestSnapshot();
        store.pipeline().runWriter();
        storage.forcesUntilFailure = 0;
        store.pipeline().runFlusher();
        assertThat(store.fence().isClosed()).isTrue();

        worker.forEach(Runnable::run); // its own force would succeed, and prove nothing

        assertThat(storage.list("snapshot")).isEmpty();
        assertThat(faults).hasSize(2).last().isEqualTo("a force of the log failed before");
        for (int seed = 0; seed < 10; seed++) {
            assertThat(HandDriven.open(storage.losePower(new Random(seed))).bodies(0))
                    .isEmpty();
        }
    }

    /** Nobody waits for messages. */
    private static final class Silence implements CommitListener {
        @Override
        public void arrived(QueueLog queue, long from, long until) {}

        @Override
        public void dropped(QueueLog queue) {}
    }
}
