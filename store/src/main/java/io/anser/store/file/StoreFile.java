package io.anser.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;

/** One open file. One thread writes, any thread reads and forces. */
public interface StoreFile extends AutoCloseable {
    /**
     * Writes all bytes from the buffer's position to its limit at {@code at}, growing the file as needed.
     *
     * @throws NoSpaceException when the device is full; some of the bytes may have been written
     */
    void write(ByteBuffer source, long at) throws IOException;

    /**
     * Reads at {@code at} until the target is full or the file ends.
     *
     * @return bytes read; fewer than asked only at the end of the file
     */
    int read(ByteBuffer target, long at) throws IOException;

    /** The file's length in bytes. */
    long size() throws IOException;

    /**
     * Sets the file's length; new bytes read as zero and take no room on the device until they are written.
     *
     * @throws NoSpaceException when the device has no room for what it must note down about the file
     */
    void resize(long bytes) throws IOException;

    /** Returns when everything written before is on the device. After a failure nothing more may be assumed. */
    void force() throws IOException;

    /**
     * A read-only view of the first bytes of the file. It shows later writes, stays valid when the file is closed, and
     * lives as long as any buffer sliced from it.
     *
     * @param bytes at most the file's size
     */
    ByteBuffer map(int bytes) throws IOException;

    /** Whether the file still has the name that it was opened by: it was not removed, renamed or replaced. Any thread. */
    boolean isInPlace() throws IOException;

    @Override
    void close() throws IOException;
}
