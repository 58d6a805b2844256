package io.anser.broker.replication;

import java.util.concurrent.CompletableFuture;

/** What a replica asks its primary. Futures complete on any thread; what depends on them must not block. */
interface PrimaryCalls {
    /** Says what the replica has; comes first on a connection, and again after any failure. */
    CompletableFuture<FollowAnswer> follow(FollowRequest request);

    /** Asks for more; at most one at a time. */
    CompletableFuture<FetchAnswer> fetch(FetchRequest request);

    /** Says what the replica has by now; may be lost. */
    void acknowledge(FetchRequest request);
}
