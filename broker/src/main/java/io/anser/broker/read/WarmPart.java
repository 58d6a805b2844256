package io.anser.broker.read;

import io.anser.store.MessageStore;

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

    /** Begins with the end of the store's log. */
    public WarmPart(MessageStore store) {
        this.store = store;
        this.hotFrom = store.committedPosition() - WARM_LOG_BYTES;
    }

    /** Says whether a message is in memory and was checked since the process started. */
    public boolean holds(long position, int size) {
        return (position >= hotFrom || store.isInMemory(position, size)) && store.isChecked(position, size);
    }
}
