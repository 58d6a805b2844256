package io.anser.bench.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** What the JIT compilers of a JVM have used, those included that it has ended meanwhile. Owned by one thread. */
public final class Compilers {
    /** Names that HotSpot gives their threads, as far as the kernel keeps them. */
    private static final String NAMES = "C[12] CompilerThre.*";

    private final Path threads;
    private final Map<String, Double> seconds = new HashMap<>();

    /**
     * Those of a process.
     *
     * @param pid process id of a JVM
     */
    public Compilers(long pid) {
        threads = Path.of("/proc/" + pid + "/task");
    }

    /** CPU seconds of the compiler threads that were ever seen here. */
    public double seconds() {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(threads)) {
            for (Path thread : all) {
                note(thread);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return seconds.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    private void note(Path thread) {
        try {
            String line = Files.readString(thread.resolve("stat"));
            String name = line.substring(line.indexOf('(') + 1, line.lastIndexOf(')'));
            if (name.matches(NAMES)) {
                seconds.put(thread.getFileName().toString(), Usage.secondsIn(line));
            }
        } catch (IOException ended) {
            // Between the listing and the reading: what it used before is noted.
        }
    }
}
