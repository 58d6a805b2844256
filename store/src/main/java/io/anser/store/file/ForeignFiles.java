package io.anser.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** A directory tree that belongs to another program: its files can be listed and read, and nothing else. Thread-safe. */
public interface ForeignFiles {
    /** The names (last part only) of the files in a directory, sorted; empty when the directory does not exist. */
    List<String> list(String directory) throws IOException;

    /** Whether a file of that name exists. */
    boolean exists(String name);

    /** A read-only view of a whole file, which must be smaller than 2 GiB; it lives as long as any buffer sliced from it. */
    ByteBuffer map(String name) throws IOException;

    /** Where a file is, as people need it in an error text. */
    String describe(String name);
}
