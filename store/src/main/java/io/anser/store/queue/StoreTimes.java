package io.anser.store.queue;

/** Tells when a message was stored; answered by the log, which this package does not know. */
@FunctionalInterface
public interface StoreTimes {
    /** Milliseconds since 1970 at which the message whose first byte is at {@code position} was stored. */
    long storeTimestamp(long position);
}
