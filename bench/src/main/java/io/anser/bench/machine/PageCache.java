package io.anser.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What the kernel keeps of files in memory, brought into a known state between runs. */
public final class PageCache {
    private static final long KIB = 1024;
    private static final long PATIENCE_SECONDS = 300;

    private PageCache() {}

    /** Waits until everything that was written has reached its device, so that the next run starts without that work. */
    public static void settle() throws IOException {
        run(List.of("sync"));
    }

    /**
     * Takes all files of a folder out of memory, by posix_fadvise. No process may map them, and nothing of them may wait to be
     * written.
     */
    public static void drop(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                run(List.of("dd", "if=" + file, "iflag=nocache", "count=0", "status=none"));
            }
        }
    }

    /** Bytes that the files of these folders occupy on their device; folders that do not exist occupy none. */
    public static long occupied(List<Path> folders) throws IOException {
        long blocks = 0;
        for (Path folder : folders) {
            if (!Files.exists(folder)) {
                continue;
            }
            blocks +=
                    Long.parseLong(run(List.of("du", "-sk", folder.toString())).split("\\s", 2)[0]);
        }
        return blocks * KIB;
    }

    private static String run(List<String> command) throws IOException {
        return Command.run(command, PATIENCE_SECONDS);
    }
}
