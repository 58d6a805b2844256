package io.anser.store.simulation;

import io.anser.store.DerivedSettings;
import io.anser.store.Durability;
import io.anser.store.StoreSettings;
import io.anser.store.log.AppendSettings;
import io.anser.store.retention.RetentionPolicy;
import io.anser.store.retention.TopicRetention;
import java.util.Map;
import java.util.Optional;
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
 * @param retention what retention keeps when it runs; empty: it never runs, and the log begins at 0 for ever
 */
record Setup(
        Durability durability,
        int segmentBytes,
        long snapshotBytes,
        int topics,
        int queuesPerTopic,
        int itemsMax,
        Optional<RetentionPolicy> retention) {
    private static final int KEY_MEMORY_BYTES = 1024;
    private static final int PENDING_MAX = 64;
    private static final int PENDING_BYTES_MAX = 256 << 10;

    static Setup draw(long seed, Random random) {
        int segmentBytes = 8192 << random.nextInt(4);
        return new Setup(
                seed % 3 == 2 ? Durability.MEMORY : Durability.DISK,
                segmentBytes,
                4_000L << (2 * random.nextInt(4)),
                1 + random.nextInt(3),
                1 << (2 * random.nextInt(4)),
                1 + random.nextInt(8),
                retention(random, segmentBytes));
    }

    /** None, by age, by size, or by another age for one topic. */
    private static Optional<RetentionPolicy> retention(Random random, int segmentBytes) {
        long forever = Long.MAX_VALUE / 2;
        int age = 50 + random.nextInt(500);
        return switch (random.nextInt(6)) {
            case 0 -> Optional.of(new RetentionPolicy(age, 0, Map.of()));
            case 1 -> Optional.of(new RetentionPolicy(forever, (2L + random.nextInt(3)) * segmentBytes, Map.of()));
            case 2 ->
                Optional.of(new RetentionPolicy(
                        age, 0, Map.of(Readout.topicName(0), new TopicRetention(1 + random.nextInt(1000), 0, false))));
            default -> Optional.empty();
        };
    }

    StoreSettings settings() {
        return StoreSettings.defaults()
                .withDurability(durability)
                .withDerived(new DerivedSettings(snapshotBytes, KEY_MEMORY_BYTES))
                .withAppends(new AppendSettings(17 << 20, PENDING_MAX, PENDING_BYTES_MAX));
    }
}
