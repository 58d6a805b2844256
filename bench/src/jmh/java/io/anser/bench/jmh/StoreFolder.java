package io.anser.bench.jmh;

import io.anser.store.Durability;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.state.ForgetfulState;
import io.anser.system.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Makes and removes the store of a benchmark, below the folder that the property {@code bench.dir} names. */
final class StoreFolder {
    private static final int SEGMENT_BYTES = 1 << 30;

    private StoreFolder() {}

    /** A new empty folder. */
    static Path make() {
        Path parent = Path.of(System.getProperty("bench.dir", System.getProperty("java.io.tmpdir")));
        try {
            return Files.createTempDirectory(Files.createDirectories(parent), "anser-jmh");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Opens the store in a folder: acknowledged from memory, no snapshot before it is closed, the log and its index alone. */
    static MessageStore open(Path folder) {
        StoreSettings settings = StoreSettings.defaults()
                .withDirectory(folder)
                .withDurability(Durability.MEMORY)
                .withSegmentBytes(SEGMENT_BYTES);
        return MessageStore.open(
                settings, new ForgetfulState(), (queue, from, until) -> {}, Clock.system(), (where, cause) -> {
                    throw new IllegalStateException(where, cause);
                });
    }

    static void remove(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
