package io.anser.store.log;

import io.anser.system.Clock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Remembers for a moment which chunks of the log the system said were in memory: reads that go through the same part of the
 * log, message by message and queue by queue, ask it once. Any thread.
 */
public final class WarmChunks {
    /** What the system is asked about at once. */
    public static final int CHUNK_BYTES = 1 << 20;

    /** An answer serves so long; memory that is short may take a chunk away sooner, and whoever reads it then waits. */
    static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Chunks that are remembered, a power of two; those as many chunks apart share a place. */
    private static final int PLACES = 4096;

    private final CommitLog log;
    private final Residency residency;
    private final Clock clock;
    private final AtomicReferenceArray<@Nullable Answer> answers = new AtomicReferenceArray<>(PLACES);

    /** A chunk that was in memory at a time. */
    private record Answer(long chunk, long nanos) {}

    /** Asks the system whether bytes of one segment are in memory. */
    interface Residency {
        boolean isInMemory(long position, int bytes);
    }

    /** Remembers nothing yet. */
    public WarmChunks(CommitLog log, Clock clock) {
        this(log, log::isInMemory, clock);
    }

    WarmChunks(CommitLog log, Residency residency, Clock clock) {
        this.log = log;
        this.residency = residency;
        this.clock = clock;
    }

    /**
     * Whether so many bytes from a committed position on are in memory, or were a moment ago; false where they reach into
     * another segment. Costs a system call now and then; does not touch the log.
     */
    public boolean hold(long position, int bytes) {
        if (bytes > log.bytesInSegment(position)) {
            return false;
        }
        long first = position / CHUNK_BYTES;
        long last = (position + bytes - 1) / CHUNK_BYTES;
        boolean warm = position >= log.minPosition();
        for (long chunk = first; warm && chunk <= last; chunk++) {
            warm = isWarm(chunk);
        }
        return warm || residency.isInMemory(position, bytes);
    }

    private boolean isWarm(long chunk) {
        int place = (int) (chunk & (PLACES - 1));
        Answer known = answers.get(place);
        long now = clock.nanos();
        if (known != null && known.chunk == chunk && now - known.nanos < FRESH_NANOS) {
            return true;
        }
        long position = chunk * CHUNK_BYTES;
        if (CHUNK_BYTES > log.bytesInSegment(position) || !residency.isInMemory(position, CHUNK_BYTES)) {
            return false;
        }
        answers.set(place, new Answer(chunk, now));
        return true;
    }
}
