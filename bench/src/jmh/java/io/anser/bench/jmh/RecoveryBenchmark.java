package io.anser.bench.jmh;

import io.anser.store.MessageStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Opening a store that another process filled. What the end left beside the log is put back before each opening, because
 * the closing after the one before wrote a snapshot.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 3)
@Fork(1)
public class RecoveryBenchmark {
    private static final int MESSAGE_BYTES = 1200;
    private static final List<String> DERIVED = List.of("index", "snapshot");

    /** Size of the log in MiB; the target speaks of 10240. */
    @Param("1024")
    public long mebibytes;

    /** How the process before ended. */
    @Param({"stop", "kill"})
    public String end = "";

    private Path folder = Path.of("");
    private Path saved = Path.of("");
    private @Nullable MessageStore store;

    /** Fills the store by a process of its own. */
    @Setup
    public void fill() throws IOException, InterruptedException {
        folder = StoreFolder.make();
        saved = StoreFolder.make();
        long messages = (mebibytes << 20) / MESSAGE_BYTES;
        Process filling = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FillStore.class.getName(),
                        folder.toString(),
                        Long.toString(messages),
                        end)
                .inheritIO()
                .start();
        int code = filling.waitFor();
        if (code != 0) {
            throw new IllegalStateException("filling the store ended with code " + code);
        }
        copyDerived(folder, saved);
    }

    /** Puts back what is beside the log. */
    @Setup(Level.Invocation)
    public void restore() throws IOException {
        copyDerived(saved, folder);
    }

    /** Removes everything. */
    @TearDown
    public void remove() {
        StoreFolder.remove(folder);
        StoreFolder.remove(saved);
    }

    /** Opens the store. */
    @Benchmark
    public long open() {
        MessageStore opened = StoreFolder.open(folder);
        store = opened;
        return opened.committedPosition();
    }

    /** Closes it; not measured. */
    @TearDown(Level.Invocation)
    public void close() {
        if (store != null) {
            store.close();
        }
    }

    private static void copyDerived(Path from, Path to) throws IOException {
        for (String name : DERIVED) {
            Path target = to.resolve(name);
            if (Files.exists(target)) {
                StoreFolder.remove(target);
            }
            if (!Files.exists(from.resolve(name))) {
                continue; // killed before it was made
            }
            Files.createDirectories(target);
            try (Stream<Path> files = Files.list(from.resolve(name))) {
                for (Path file : files.toList()) {
                    Files.copy(file, target.resolve(file.getFileName()));
                }
            }
        }
    }
}
