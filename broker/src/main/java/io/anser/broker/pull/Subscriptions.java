package io.anser.broker.pull;

import io.anser.broker.filter.Subscription;
import io.anser.transport.Connection;
import java.util.Optional;

/** What heartbeats said about consumers: where a pull that carries no subscription of its own finds it. Any thread. */
@FunctionalInterface
public interface Subscriptions {
    /**
     * Returns the subscription of the group to the topic, that of the consumer on this connection before another
     * member's.
     */
    Optional<Subscription> find(Connection connection, String group, String topic);
}
