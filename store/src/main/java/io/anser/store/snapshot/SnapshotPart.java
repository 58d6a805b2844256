package io.anser.store.snapshot;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Something derived from the log that outlives its segments, as one named section of every snapshot.
 *
 * @param name of the section, at most 255 bytes of UTF-8; never used again for another meaning
 * @param writer copies the part into memory, on the committing thread between two records; fast
 * @param reader fills the empty part again, on the recovering thread; not called when a snapshot lacks the section
 */
public record SnapshotPart(String name, Writer writer, Reader reader) {
    /** Writes a part. */
    @FunctionalInterface
    public interface Writer {
        /** Writes everything that {@link Reader#read} needs. */
        void write(DataOutput out) throws IOException;
    }

    /** Reads a part. */
    @FunctionalInterface
    public interface Reader {
        /** Reads what {@link Writer#write} wrote. */
        void read(DataInput in) throws IOException;
    }
}
