package io.anser.store.snapshot;

import io.anser.store.state.StateSection;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Something derived from the log that outlives its segments, as one named section of every snapshot.
 *
 * @param name of the section, see {@link StateSection#requireName}; no other section has it, now or ever
 * @param writer asked on the committing thread, between two records, for what it has to write; fast
 * @param reader fills the empty part again, on the recovering thread; not called when a snapshot lacks the section
 */
public record SnapshotPart(String name, Writer writer, Reader reader) {
    /** Refuses a name that a snapshot could not keep. */
    public SnapshotPart {
        StateSection.requireName(name);
    }

    /** Writes a part. */
    @FunctionalInterface
    public interface Writer {
        /** Writes everything that {@link Reader#read} needs. */
        void write(DataOutput out) throws IOException;

        /**
         * Takes hold of the part as it is now, so that another thread can write it while the part goes on. A part that
         * does not say how is copied into memory.
         */
        default Writer hold() throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            write(new DataOutputStream(bytes));
            return out -> out.write(bytes.toByteArray());
        }
    }

    /** Takes hold of a part: on the committing thread, fast. */
    @FunctionalInterface
    public interface Source {
        /** Returns what writes the part as it is now; any thread may use it later. */
        Writer hold() throws IOException;
    }

    /** A part that is not copied to be written: it hands out a hold on what it has. */
    public static SnapshotPart held(String name, Source source, Reader reader) {
        Writer writer = new Writer() {
            @Override
            public void write(DataOutput out) throws IOException {
                source.hold().write(out);
            }

            @Override
            public Writer hold() throws IOException {
                return source.hold();
            }
        };
        return new SnapshotPart(name, writer, reader);
    }

    /** Reads a part. */
    @FunctionalInterface
    public interface Reader {
        /** Reads what {@link Writer#write} wrote. */
        void read(DataInput in) throws IOException;
    }
}
