package io.anser.bench.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The machine in one line for a reader. */
public final class Machine {
    private static final double GIB = 1 << 30;
    private static final double KIB_IN_GIB = 1 << 20;

    private Machine() {}

    /**
     * Processor, cores, memory, device, kernel, JDK.
     *
     * @param folder on the device that the servers use
     */
    public static String describe(Path folder) {
        try {
            FileStore device = Files.getFileStore(folder);
            return String.format(
                    Locale.ROOT,
                    "%s, %d cores, %.0f GiB of memory, %s (%s, %.0f GiB), Linux %s, %s %s",
                    field("/proc/cpuinfo", "model name", "unknown processor"),
                    Runtime.getRuntime().availableProcessors(),
                    Double.parseDouble(field("/proc/meminfo", "MemTotal", "0").replace(" kB", "")) / KIB_IN_GIB,
                    device.name(),
                    device.type(),
                    device.getTotalSpace() / GIB,
                    System.getProperty("os.version"),
                    System.getProperty("java.vm.name"),
                    System.getProperty("java.version"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String field(String file, String name, String orElse) {
        return Usage.lines(Path.of(file)).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(line.indexOf(':') + 1).trim())
                .findFirst()
                .orElse(orElse);
    }
}
