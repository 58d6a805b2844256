package io.anser.store.state;

import java.io.DataInput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A part of the state with a section of its own in every snapshot, so that a part which came later needs no new form of what
 * was there before.
 *
 * @param name of the section, see {@link #requireName}; no other section has it, now or ever
 * @param source asked on the committing thread, between two records, to take hold of the part; fast
 * @param reader fills the empty part again, on the recovering thread, after {@link StateMachine#readSnapshot} or before it;
 *     not called when a snapshot lacks the section
 */
public record StateSection(String name, Source source, Reader reader) {
    /** Most bytes of a name: as many as a snapshot can tell with one byte. */
    private static final int NAME_BYTES_MAX = 255;

    /** Refuses a name that a snapshot could not keep. */
    public StateSection {
        requireName(name);
    }

    /**
     * Makes sure that a snapshot keeps a name as it is.
     *
     * @throws IllegalArgumentException when it is empty or has more than 255 bytes of UTF-8
     */
    public static void requireName(String name) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > NAME_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "name of a section with bytes=" + bytes + ", it needs 1 to " + NAME_BYTES_MAX + ": " + name);
        }
    }

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
