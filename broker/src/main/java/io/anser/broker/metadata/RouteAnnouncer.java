package io.anser.broker.metadata;

/** Tells the name servers of the broker's topics as they are now. */
@FunctionalInterface
public interface RouteAnnouncer {
    /**
     * Announces the present topics and runs {@code done} when every reachable name server has heard of them, after at
     * most one second. Any thread; {@code done} may run in the call or on another thread and must not block.
     */
    void announce(Runnable done);
}
