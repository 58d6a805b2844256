package io.anser.bench.machine;

import java.nio.file.Path;

/**
 * Memory of a process.
 *
 * @param residentBytes what it holds in memory, the pages of mapped files left out
 * @param threads how many it runs
 */
public record Memory(long residentBytes, long threads) {
    private static final int KIB = 1024;

    /** Reads what a process holds now. */
    public static Memory of(long pid) {
        long resident = 0;
        long threads = 0;
        for (String line : Usage.lines(Path.of("/proc/" + pid + "/status"))) {
            if (line.startsWith("RssAnon:")) {
                resident = number(line) * KIB;
            } else if (line.startsWith("Threads:")) {
                threads = number(line);
            }
        }
        return new Memory(resident, threads);
    }

    private static long number(String line) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
    }
}
