package io.anser.broker.read;

import io.anser.store.MessageStore;

/** What of the log one read may touch without waiting for the device. Made for one read. */
public final class WarmPart {
    /**
     * Messages farther than this from the end of the log, in bytes, may have left the memory, so the system is asked.
     * Consumers that keep up stay far below it.
     */
    public static final long WARM_LOG_BYTES = 128L << 20;

    /** For how many bytes from a message on the system is asked at once; the next messages mostly lie among them. */
    public static final int ASKED_BYTES = 256 << 10;

    /** What is brought into memory behind the messages of a cold read, for the next one. */
    public static final int READ_AHEAD_BYTES = 1 << 20;

    private final MessageStore store;
    private long from;
    private long until;

    /** Begins with the end of the store's log. */
    public WarmPart(MessageStore store) {
        this.store = store;
        this.until = Long.MAX_VALUE;
        this.from = Math.max(0, store.committedPosition() - WARM_LOG_BYTES);
    }

    /** Says whether a message is in memory and was checked since the process started. */
    public boolean holds(long position, int size) {
        return isInMemory(position, size) && store.isChecked(position, size);
    }

    private boolean isInMemory(long position, int size) {
        if (position >= from && position + size <= until) {
            return true;
        }
        if (store.isInMemory(position, ASKED_BYTES)) {
            from = position;
            until = position + ASKED_BYTES;
            return true;
        }
        return store.isInMemory(position, size);
    }
}
