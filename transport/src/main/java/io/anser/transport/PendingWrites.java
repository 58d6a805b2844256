package io.anser.transport;

import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that wait to be written to all connections of a server together. Beyond the limit the connection is closed for
 * which most is waiting, one after the other: a crowd of slow readers of which each keeps within its own limit must not use up
 * the memory. Any thread; costs nothing for connections that take what they get.
 */
final class PendingWrites {
    /** For connections that need no common limit: nothing is counted. */
    static final long NO_LIMIT = Long.MAX_VALUE;

    private final long limitBytes;
    private final RateLimitedLog warnings;
    private final AtomicLong bytes = new AtomicLong();
    private final Set<Connection> waiting = ConcurrentHashMap.newKeySet();

    /** The connection that is being closed and counts until it has ended. */
    private final AtomicReference<@Nullable Connection> closing = new AtomicReference<>();

    PendingWrites(long limitBytes, RateLimitedLog warnings) {
        this.limitBytes = limitBytes;
        this.warnings = warnings;
    }

    /** Takes note that another number of bytes waits for a connection. Its event loop. */
    void changed(Connection connection, long before, long now) {
        if (limitBytes == NO_LIMIT) {
            return;
        }
        if (now > 0) {
            waiting.add(connection);
        } else {
            waiting.remove(connection);
        }
        // Where one is closing already nobody looks for another, which means going through all of them.
        if (bytes.addAndGet(now - before) > limitBytes && closing.get() == null) {
            closeLargest();
        }
    }

    /** Takes note that a connection has ended, for which nothing waits any more. Its event loop. */
    void ended(Connection connection) {
        waiting.remove(connection);
        if (closing.compareAndSet(connection, null) && bytes.get() > limitBytes) {
            closeLargest();
        }
    }

    private void closeLargest() {
        waiting.stream()
                .max(Comparator.comparingLong(Connection::countedBytes))
                .filter(largest -> closing.compareAndSet(null, largest))
                .ifPresent(largest -> {
                    warnings.warn(
                            "connection closed: too much waits for all connections together",
                            largest,
                            "waiting=" + largest.countedBytes() + " all=" + bytes.get() + " limit=" + limitBytes);
                    largest.close();
                    if (!waiting.contains(largest)) {
                        closing.compareAndSet(largest, null); // it had ended, or was read out, before it was chosen
                    }
                });
    }
}
