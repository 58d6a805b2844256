package io.anser.bench.machine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Memory of a process.
 *
 * @param residentBytes what it holds in memory, the pages of mapped files left out
 * @param threads how many it runs
 */
public record Memory(long residentBytes, long threads) {
    private static final int KIB = 1024;
    private static final long PATIENCE_SECONDS = 120;

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

    /**
     * What a Java process keeps reachable on its heap, after a full collection.
     *
     * @throws IOException if jcmd of this JDK cannot ask it
     */
    public static long liveHeapBytes(long pid) throws IOException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        String histogram = Command.run(List.of(jcmd, Long.toString(pid), "GC.class_histogram"), PATIENCE_SECONDS);
        String total = histogram.substring(histogram.lastIndexOf("Total"));
        return Long.parseLong(total.trim().split(" +")[2]);
    }

    /** Bytes that a process has had read from devices so far, by its own reading or by touching mapped files. */
    public static long deviceReadBytes(long pid) {
        return Usage.lines(Path.of("/proc/" + pid + "/io")).stream()
                .filter(line -> line.startsWith("read_bytes:"))
                .mapToLong(Memory::number)
                .sum();
    }

    /** The digits of a line of /proc. */
    static long number(String line) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
    }
}
