package io.anser.broker.pull;

import io.anser.broker.filter.OthersFilter;
import io.anser.broker.filter.Subscription;
import io.anser.transport.Connection;
import java.util.Optional;

/** What heartbeats said about consumers: where a pull that carries no subscription of its own finds it. Any thread. */
public interface Subscriptions {
    /**
     * Returns the subscription of the group to the topic, that of the consumer on this connection before another
     * member's.
     */
    Optional<Subscription> find(Connection connection, String group, String topic);

    /**
     * Returns what other members of the group want of the topic, where that is something else than what the member on this
     * connection asks for. It must not pass such messages: they are for others of the group.
     */
    OthersFilter others(Connection connection, String group, Subscription asked);
}
