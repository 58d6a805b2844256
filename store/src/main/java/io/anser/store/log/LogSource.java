package io.anser.store.log;

import java.nio.ByteBuffer;
import java.util.Optional;

/** The log of a primary as its replicas copy it: whole records, byte for byte. Any thread. */
public interface LogSource {
    /** Size of the segments: a replica has to have the same. */
    int segmentBytes();

    /** Position of the first byte that is still kept. */
    long minPosition();

    /** Everything before it may be copied: it cannot be lost any more by what the store's durability survives. */
    long durable();

    /** Everything before it is acknowledged and may be read. */
    long committed();

    /** Whether this log holds the record before a place, with the same checksum. */
    boolean holds(LogPoint point);

    /**
     * Whole records from a position on, as many as fit, all of one segment; at least one.
     *
     * @param position where a record starts, before {@link #durable}
     * @param bytesMax most bytes, unless the first record is larger
     * @return read-only, not copied; empty when no record starts there, or it is not kept any more
     */
    Optional<ByteBuffer> read(long position, int bytesMax);
}
