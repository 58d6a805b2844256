package io.anser.store.state;

import java.io.DataInput;
import java.io.IOException;

/**
 * A part of the state with a section of its own in every snapshot, so that a part which came later needs no new form of what
 * was there before.
 *
 * @param name of the section, at most 255 bytes of UTF-8; never used again for another meaning
 * @param source asked on the committing thread, between two records, to take hold of the part; fast
 * @param reader fills the empty part again, on the recovering thread, after {@link StateMachine#readSnapshot} or before it;
 *     not called when a snapshot lacks the section
 */
public record StateSection(String name, Source source, Reader reader) {
    /** Takes hold of a part. */
    @FunctionalInterface
    public interface Source {
        /** Returns what writes the part as it is now; any thread may use it later. */
        HeldState hold() throws IOException;
    }

    /** Reads a part. */
    @FunctionalInterface
    public interface Reader {
        /** Reads everything that the part's {@link HeldState} wrote. */
        void read(DataInput in) throws IOException;
    }
}
