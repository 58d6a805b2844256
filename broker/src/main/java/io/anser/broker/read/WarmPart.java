package io.anser.broker.read;

import io.anser.store.MessageStore;
import io.anser.store.log.LogStretch;
import io.anser.store.log.WarmChunks;

/** What of the log one read may touch without waiting for the device. Made for one read. */
public final class WarmPart {
    /**
     * Messages farther than this from the end of the log, in bytes, may have left the memory, so the system is asked.
     * Consumers that keep up stay far below it.
     */
    public static final long WARM_LOG_BYTES = 128L << 20;

    /** What is brought into memory behind the messages of a cold read, for the next one. */
    public static final int READ_AHEAD_BYTES = 1 << 20;

    private final MessageStore store;
    private final long hotFrom;
    private LogStretch chunk = LogStretch.NONE;
    private long askedChunk = -1;

    /** Begins with the end of the store's log. */
    public WarmPart(MessageStore store) {
        this.store = store;
        this.hotFrom = store.committedPosition() - WARM_LOG_BYTES;
    }

    /** Says whether a message is in memory and was checked since the process started. */
    public boolean holds(long position, int size) {
        if (chunk.holds(position, size)) {
            return true;
        }
        if (position >= hotFrom) {
            return store.isChecked(position, size);
        }
        return chunkOf(position, size).holds(position, size)
                || (store.isInMemory(position, size) && store.isChecked(position, size));
    }

    /**
     * Returns the bytes around a message, if they are sound and in memory: the messages of a read mostly lie close to each
     * other, so that one look-up serves many. Holds the message or nothing; then the message has to be judged by itself.
     */
    LogStretch chunkOf(long position, int size) {
        long number = position / WarmChunks.CHUNK_BYTES;
        if (number != askedChunk) {
            askedChunk = number;
            chunk = store.chunkAround(position, hotFrom);
        }
        return chunk.holds(position, size) ? chunk : LogStretch.NONE;
    }
}
