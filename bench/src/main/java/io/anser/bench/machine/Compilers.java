package io.anser.bench.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** What the JIT compilers of a JVM use. */
public final class Compilers {
    /** Names that HotSpot gives their threads, as far as the kernel keeps them. */
    private static final String NAMES = "C[12] CompilerThre.*";

    private Compilers() {}

    /**
     * CPU seconds of the compiler threads that live in a process. A JVM may end an idle one, with which its share goes.
     *
     * @param pid process id of a JVM
     */
    public static double secondsOf(long pid) {
        double seconds = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads) {
                seconds += secondsOfThread(thread);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return seconds;
    }

    private static double secondsOfThread(Path thread) throws IOException {
        try {
            String line = Files.readString(thread.resolve("stat"));
            String name = line.substring(line.indexOf('(') + 1, line.lastIndexOf(')'));
            return name.matches(NAMES) ? Usage.secondsIn(line) : 0;
        } catch (NoSuchFileException ended) {
            return 0; // between the listing and the reading
        }
    }
}
