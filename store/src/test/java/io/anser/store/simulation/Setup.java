package io.anser.store.simulation;

import io.anser.store.Durability;
import io.anser.store.StoreSettings;
import java.util.Random;

/**
 * What stays the same over all lives of one simulated store, drawn from its seed.
 *
 * @param durability memory for every third seed
 * @param segmentBytes small, so that the log rolls often
 * @param snapshotBytes growth of the log between snapshots
 * @param topics number of topics
 * @param queuesPerTopic few, so that pages fill, or many, so that they are shared
 * @param itemsMax most items of a unit
 */
record Setup(
        Durability durability, int segmentBytes, long snapshotBytes, int topics, int queuesPerTopic, int itemsMax) {
    private static final int PENDING_MAX = 64;
    private static final int PENDING_BYTES_MAX = 256 << 10;

    static Setup draw(long seed, Random random) {
        return new Setup(
                seed % 3 == 2 ? Durability.MEMORY : Durability.DISK,
                8192 << random.nextInt(4),
                4_000L << (2 * random.nextInt(4)),
                1 + random.nextInt(3),
                1 << (2 * random.nextInt(4)),
                1 + random.nextInt(8));
    }

    StoreSettings settings() {
        return StoreSettings.defaults()
                .withDurability(durability)
                .withSnapshotBytes(snapshotBytes)
                .withPending(PENDING_MAX, PENDING_BYTES_MAX);
    }
}
