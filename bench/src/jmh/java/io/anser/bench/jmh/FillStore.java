package io.anser.bench.jmh;

import io.anser.store.MessageStore;
import java.nio.file.Path;

/** A process of its own that fills a store and then ends as it should, or as if it was killed. */
final class FillStore {
    private static final int QUEUES = 8;

    private FillStore() {}

    /** Arguments: folder, number of messages, {@code stop} or {@code kill}. */
    public static void main(String[] arguments) {
        fill(Path.of(arguments[0]), Long.parseLong(arguments[1]), arguments[2].equals("kill"));
    }

    private static void fill(Path folder, long messages, boolean kill) {
        try (MessageStore store = StoreFolder.open(folder)) {
            new Burst(store, QUEUES).run(messages);
            if (kill) {
                // No hook runs and nothing is closed, as with kill -9.
                Runtime.getRuntime().halt(0);
            }
        }
    }
}
