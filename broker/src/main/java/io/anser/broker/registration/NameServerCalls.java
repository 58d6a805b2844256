package io.anser.broker.registration;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What a broker asks of a name server. Futures complete on any thread; what depends on them must not block. */
interface NameServerCalls {
    /**
     * Tells a name server of the broker and its topics as they are at the moment of the call.
     *
     * @param nameServer {@code host:port}
     * @return fails if the name server could not be reached or refused
     */
    CompletableFuture<@Nullable Void> register(String nameServer);

    /**
     * Tells a name server that the broker goes.
     *
     * @param nameServer {@code host:port}
     * @return fails if the name server could not be reached or refused
     */
    CompletableFuture<@Nullable Void> unregister(String nameServer);
}
