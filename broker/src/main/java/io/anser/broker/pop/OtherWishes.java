package io.anser.broker.pop;

import io.anser.broker.filter.OthersFilter;
import io.anser.broker.filter.Subscription;
import io.anser.transport.Connection;

/** What heartbeats said about the other members of a group. Any thread. */
@FunctionalInterface
public interface OtherWishes {
    /**
     * Returns what other members of the group want of the topic, where that is something else than what the member on this
     * connection asks for. It must not pass such messages: they are for others of the group.
     */
    OthersFilter of(Connection connection, String group, Subscription asked);
}
