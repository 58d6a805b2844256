package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.file.FaultyStorage;
import io.anser.store.queue.PageFile;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is derived from the log finds no room on a full device: nothing is lost by that, and nothing stops. */
class FullDiskIndexTest {
    private static final int QUEUES = 60;

    private final FaultyStorage storage = new FaultyStorage();

    @Test
    void manyQueuesThatTurnAPageAtOnceOnAFullDeviceLoseNothing() {
        HandDriven store = HandDriven.open(storage);
        for (int message = 0; message < PageFile.SLOTS; message++) {
            commitToAll(store, "x");
        }
        storage.capacityBytes = 0;
        List<TestUnit> units = commitToAll(store, "last");

        List<Integer> stored = new ArrayList<>();
        for (int id = 0; id < QUEUES; id++) {
            if (units.get(id).isCommitted()) {
                stored.add(id);
            }
        }
        assertThat(stored).as("pages that turned").hasSizeGreaterThan(20);
        assertThat(store.faults).isEmpty();
        assertThat(store.parts.fence().isClosed()).isFalse();
        stored.forEach(
                id -> assertThat(store.bodies(id)).hasSize(PageFile.SLOTS + 1).endsWith("last"));

        FaultyStorage full = storage.kill();
        full.capacityBytes = 0;
        HandDriven opened = HandDriven.open(full);
        stored.forEach(
                id -> assertThat(opened.bodies(id)).hasSize(PageFile.SLOTS + 1).endsWith("last"));
        assertThat(opened.faults).isEmpty();

        full.capacityBytes = 1L << 30;
        opened.time.advance(Duration.ofSeconds(1));
        opened.run();
        assertThat(opened.parts.pageFile().lacksRoom()).isFalse();
        TestUnit again = TestUnit.message(opened.queue(0), "again");
        opened.commit(again);
        assertThat(again.isCommitted()).isTrue();
        opened.snapshot();
        HandDriven last = HandDriven.open(full.kill());
        stored.forEach(id -> assertThat(last.bodies(id)).contains("last"));
    }

    @Test
    void messagesAreRefusedWhileAPageOfTheIndexWaitsForRoom() {
        HandDriven store = HandDriven.open(storage);
        for (int message = 0; message < PageFile.SLOTS; message++) {
            store.commit(TestUnit.message(store.queue(0), "x"));
        }
        storage.interceptor = (operation, file) -> {
            storage.noSpaceAfterWrites = file.startsWith("index/") ? 0 : Integer.MAX_VALUE;
            return FaultyStorage.Verdict.PASS;
        };
        store.commit(TestUnit.message(store.queue(0), "x"));
        TestUnit message = TestUnit.message(store.queue(0), "refused");
        TestUnit state = TestUnit.state(1, "taken");
        store.commit(message, state);
        assertThat(message.failure).hasMessageContaining("no space left");
        assertThat(state.isCommitted()).isTrue();

        storage.interceptor = (operation, file) -> FaultyStorage.Verdict.PASS;
        storage.noSpaceAfterWrites = Integer.MAX_VALUE;
        store.time.advance(Duration.ofSeconds(1));
        store.run();
        TestUnit again = TestUnit.message(store.queue(0), "taken");
        store.commit(again);
        assertThat(again.isCommitted()).isTrue();
        assertThat(store.bodies(0)).hasSize(PageFile.SLOTS + 2);
        assertThat(store.faults).isEmpty();
    }

    @Test
    void aSnapshotThatFindsNoRoomIsGivenUpAndTakenLater() throws IOException {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "kept"));
        storage.capacityBytes = 0;
        store.snapshot();
        assertThat(store.faults).isEmpty();
        assertThat(store.parts.fence().isClosed()).isFalse();
        assertThat(storage.list("snapshot")).as("what was half written").isEmpty();
        TestUnit state = TestUnit.state(1, "goes on");
        store.commit(state);
        assertThat(state.isCommitted()).isTrue();

        storage.capacityBytes = 1 << 20;
        store.snapshot();
        assertThat(storage.list("snapshot"))
                .as("and room for the next one")
                .hasSize(2)
                .endsWith("new");
        assertThat(HandDriven.open(storage.kill()).bodies(0)).containsExactly("kept");
    }

    @Test
    void aStoreOnAFullDeviceIsClosedAllTheSame() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "kept"));
        storage.capacityBytes = 0;
        store.parts.finish();

        assertThat(HandDriven.open(storage.kill()).bodies(0)).containsExactly("kept");
    }

    private static List<TestUnit> commitToAll(HandDriven store, String body) {
        List<TestUnit> units = new ArrayList<>();
        for (int id = 0; id < QUEUES; id++) {
            units.add(TestUnit.message(store.queue(id), body));
        }
        store.commit(units.toArray(TestUnit[]::new));
        return units;
    }
}
