package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.file.FaultyStorage;
import io.anser.store.file.StoreFile;
import io.anser.store.state.TopicDrop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An index that was lost and built again, and snapshots that were taken with the one before. */
class RebuiltIndexTest {
    private static final int PAGE_AND_MORE = 64;

    private final StoreSettings memory = HandDriven.settings().withDurability(Durability.MEMORY);
    private final FaultyStorage storage = new FaultyStorage();

    private static void append(HandDriven store, String text) {
        for (int i = 0; i < PAGE_AND_MORE; i++) {
            store.commit(TestUnit.message(store.queue(0), text + i));
        }
    }

    private static void drop(HandDriven store) {
        store.commit(TestUnit.state(7, "deleted").andState(TopicDrop.KIND, "T"));
    }

    private static void loseIndex(FaultyStorage device) {
        device.list("index").forEach(name -> device.delete("index/" + name));
    }

    /** A device on which the index came further than the log, as a power loss may leave it at durability memory. */
    private static void copyIndex(FaultyStorage from, FaultyStorage to) throws IOException {
        loseIndex(to);
        for (String name : from.list("index")) {
            String path = "index/" + name;
            try (StoreFile copy = to.open(path)) {
                copy.write(ByteBuffer.wrap(from.bytes(path), 0, (int) from.size(path)), 0);
            }
        }
    }

    @Test
    void noStartFromAnOlderSnapshotTakesItsPagesForThoseOfBefore() throws IOException {
        HandDriven store = HandDriven.open(storage, memory);
        append(store, "gone");
        drop(store);
        append(store, "one-");
        store.snapshot();
        List<String> expected = store.bodies(0);
        assertThat(expected).hasSize(PAGE_AND_MORE).startsWith("one-0");

        FaultyStorage device = storage.kill();
        loseIndex(device);
        HandDriven rebuilt = HandDriven.open(device, memory);
        assertThat(rebuilt.bodies(0)).isEqualTo(expected);
        FaultyStorage afterPowerLoss = device.kill();
        drop(rebuilt);
        append(rebuilt, "two-");
        copyIndex(device, afterPowerLoss);

        assertThat(HandDriven.open(afterPowerLoss, memory).bodies(0)).isEqualTo(expected);
    }

    @Test
    void aSnapshotOfARebuiltIndexWithoutPagesNeedsNone() {
        HandDriven store = HandDriven.open(storage);
        append(store, "gone");
        drop(store);
        store.commit(TestUnit.message(store.queue(0), "kept"));
        store.snapshot();
        FaultyStorage device = storage.kill();
        loseIndex(device);
        HandDriven rebuilt = HandDriven.open(device);
        rebuilt.parts.finish();

        HandDriven again = HandDriven.open(device.kill());
        assertThat(again.bodies(0)).containsExactly("kept");
        append(again, "more");
        assertThat(again.bodies(0)).hasSize(1 + PAGE_AND_MORE);
    }
}
