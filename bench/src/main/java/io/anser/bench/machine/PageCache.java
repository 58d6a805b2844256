package io.anser.bench.machine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** What the kernel keeps of files in memory, brought into a known state between runs. */
public final class PageCache {
    private static final int BLOCK_BYTES = 1 << 20;
    private static final long KIB = 1024;

    /** What is left alone when memory is touched: a tenth. */
    private static final long MARGIN = 10;

    private static final long PATIENCE_SECONDS = 300;

    private PageCache() {}

    /**
     * Writes to all memory that is free, through a file that is removed afterwards. On a virtual machine the host gives memory
     * at its first use, which costs several times what writing to it costs, and would burden whoever is measured first.
     *
     * @param folder on the device that the servers use
     * @return bytes that were written
     */
    public static long touchFreeMemory(Path folder) throws IOException {
        long available = 0;
        for (String line : Usage.lines(Path.of("/proc/meminfo"))) {
            if (line.startsWith("MemAvailable:")) {
                available = Memory.number(line) * KIB;
            }
        }
        long room = Files.getFileStore(folder).getUsableSpace() / 2;
        long bytes = Math.min(available - available / MARGIN, room);
        touch(folder, bytes);
        settle();
        return bytes;
    }

    static void touch(Path folder, long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(
                folder.resolve("touch"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE)) {
            ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
            for (long at = 0; at < bytes; at += BLOCK_BYTES) {
                channel.write(block.clear(), at);
            }
        }
    }

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
