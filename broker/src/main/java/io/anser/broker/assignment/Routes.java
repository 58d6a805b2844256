package io.anser.broker.assignment;

import io.anser.protocol.body.TopicRoute;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Where the queues of a topic are in the whole cluster. Any thread. */
@FunctionalInterface
public interface Routes {
    /** Looks a topic up; empty when it is not known, failed when nobody can be asked. */
    CompletableFuture<Optional<TopicRoute>> find(String topic);
}
