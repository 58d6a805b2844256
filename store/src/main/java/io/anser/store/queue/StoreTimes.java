package io.anser.store.queue;

/** Tells when a message was stored; answered by the log, which this package does not know. */
@FunctionalInterface
public interface StoreTimes {
    /** The answer for a message that is lost. */
    long UNKNOWN = -1;

    /**
     * Milliseconds since 1970 at which a message was stored; {@link #UNKNOWN} when the log no longer has it.
     *
     * @param position log position of its first byte
     * @param size of the whole message in bytes
     */
    long storeTimestamp(long position, int size);
}
