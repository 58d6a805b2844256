package io.anser.store.file;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * A directory tree of files, named by relative paths with {@code /} between the parts.
 *
 * <p>What is written, created, renamed or deleted is seen at once by this process, but survives a power loss only after
 * {@link StoreFile#force()} (bytes and length) or {@link #forceDirectory} (names). Thread-safe; each file has one writer.
 */
public interface Storage extends Closeable {
    /**
     * Opens a file for reading and writing, creating it and its directories when it is not there.
     *
     * @throws NoSpaceException when it has to be created and the device is full
     */
    StoreFile open(String name) throws IOException;

    /**
     * Opens a file as {@link #open} does, and keeps every other process from opening it so until it is closed or the process
     * ends, whatever becomes of its name. To be opened once at a time: where the system is POSIX, closing a second one of the
     * same file would let go of it.
     *
     * @throws StoreException IO when another process has it
     */
    StoreFile openLocked(String name) throws IOException;

    /** Whether a file of that name exists. */
    boolean exists(String name);

    /** The names (last part only) of the files in a directory, sorted; empty when the directory does not exist. */
    List<String> list(String directory) throws IOException;

    /** Removes a file; nothing happens when it is not there. */
    void delete(String name) throws IOException;

    /** Gives a file another name in one step, replacing what had that name. */
    void rename(String from, String to) throws IOException;

    /** Makes the names in a directory durable; {@code ""} is the root. */
    void forceDirectory(String directory) throws IOException;

    /** Room on the device, by one question to the system. */
    DiskSpace space() throws IOException;

    /** Where a file is, as people need it in an error text. */
    String describe(String name);

    /**
     * Closes every file that is open, whoever opened it, and refuses to open, delete or rename any: nothing is changed after
     * this has returned. Waits for what is under way on the device.
     */
    @Override
    void close() throws IOException;
}
