package io.anser.transport;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What a client does on a new connection before anything else is sent over it. Called on the connection's event loop. */
@FunctionalInterface
public interface ConnectionOpening {
    /** Nothing. */
    ConnectionOpening NONE = (connection, hostPort) -> CompletableFuture.completedFuture(null);

    /** Longest time that an opening may take. */
    int LONGEST_MILLIS = 3_000;

    /**
     * Opens a connection; it must end within {@link #LONGEST_MILLIS}.
     *
     * @param hostPort the address that was dialled
     * @return completes on the connection's event loop; fails when the connection must not be used, which closes it
     */
    CompletableFuture<@Nullable Void> open(Connection connection, String hostPort);
}
