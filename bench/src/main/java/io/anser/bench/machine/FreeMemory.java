package io.anser.bench.machine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Gives the memory that is free to the page cache, as on a machine that has been running for a while: what a server writes then
 * takes the place of what was read long ago. Else a virtual machine whose host takes free memory back gets it again page by page
 * while a server writes, which costs more than the writing and has nothing to do with the server.
 *
 * <p>The cache is filled from a file without blocks, so nothing is read from the device, and each time from a part of it
 * that was not read before. Not for several threads.
 */
public final class FreeMemory implements AutoCloseable {
    private static final int BLOCK_BYTES = 1 << 20;
    private static final long KIB = 1024;

    /** No file system that a server is measured on has smaller limits; enough for 500 runs on a machine with 16 GiB. */
    private static final long FILE_BYTES = 8L << 40;

    private final FileChannel file;
    private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    private long position;

    /**
     * Makes the file, which is gone when this is closed.
     *
     * @param folder on the device that the servers use
     */
    public FreeMemory(Path folder) throws IOException {
        file = FileChannel.open(
                folder.resolve("filler"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.SPARSE,
                StandardOpenOption.DELETE_ON_CLOSE);
        file.write(ByteBuffer.allocate(1), FILE_BYTES - 1);
    }

    /**
     * Reads as much of the file as memory is free.
     *
     * @return bytes that were read
     */
    public long fill() throws IOException {
        return read(freeBytes());
    }

    /** Reads so much, rounded up to blocks; starts anew behind the end. */
    long read(long bytes) throws IOException {
        long read = 0;
        while (read < bytes) {
            if (position + BLOCK_BYTES > FILE_BYTES) {
                position = 0;
            }
            int length = file.read(block.clear(), position);
            position += length;
            read += length;
        }
        return read;
    }

    private static long freeBytes() {
        return Usage.lines(Path.of("/proc/meminfo")).stream()
                        .filter(line -> line.startsWith("MemFree:"))
                        .mapToLong(Memory::number)
                        .sum()
                * KIB;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
