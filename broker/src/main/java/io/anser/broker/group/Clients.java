package io.anser.broker.group;

import io.anser.broker.filter.Subscription;
import io.anser.broker.group.ConnectedClient.Kind;
import io.anser.broker.group.ConnectedClient.Membership;
import io.anser.system.Cancellable;
import io.anser.system.Scheduler;
import io.anser.transport.Connection;
import java.util.Map;
import java.util.Optional;

/**
 * The clients that are there: who joins, leaves, closes its connection or falls silent. Joining and leaving happen on the
 * event loop of the client's connection; the silent are looked for on the timer thread.
 */
public final class Clients implements AutoCloseable {
    /** Most places in groups that the clients of one connection may take, as producers and consumers together. */
    public static final int MAX_GROUPS_PER_CONNECTION = 1000;

    private static final long SCAN_MILLIS = 10_000;

    private final ConsumerGroups consumers;
    private final ProducerGroups producers;
    private final Cancellable scan;

    /** Starts with nobody. */
    public Clients(ConsumerGroups consumers, ProducerGroups producers, Scheduler scheduler) {
        this.consumers = consumers;
        this.producers = producers;
        this.scan = scheduler.every(SCAN_MILLIS, this::expire);
    }

    /** Looks for silent clients no longer. */
    @Override
    public void close() {
        scan.cancel();
    }

    /**
     * Takes note of a consumer.
     *
     * @param subscriptions by topic; absent: it keeps those it had
     * @param sharesQueues whether each message is for one member of the group; false: for all
     * @return false if the connection is in too many groups already; nothing was noted
     */
    boolean consumer(
            ConnectedClient client,
            String clientId,
            String group,
            Optional<Map<String, Subscription>> subscriptions,
            boolean sharesQueues) {
        if (!admit(client, new Membership(Kind.CONSUMER, group, clientId))) {
            return false;
        }
        subscriptions.ifPresentOrElse(
                all -> consumers.seen(group, clientId, client.channel(), all, sharesQueues),
                () -> consumers.seen(group, clientId, client.channel(), sharesQueues));
        return true;
    }

    /**
     * Takes note of a producer.
     *
     * @return false if the connection is in too many groups already; nothing was noted
     */
    boolean producer(ConnectedClient client, String clientId, String group) {
        if (!admit(client, new Membership(Kind.PRODUCER, group, clientId))) {
            return false;
        }
        producers.seen(group, clientId, client.channel());
        return true;
    }

    private static boolean admit(ConnectedClient client, Membership membership) {
        if (client.memberships().size() >= MAX_GROUPS_PER_CONNECTION
                && !client.memberships().contains(membership)) {
            return false;
        }
        client.memberships().add(membership);
        return true;
    }

    /** Takes a client out of a group that it leaves of its own accord. */
    void leave(ConnectedClient client, Membership membership) {
        client.memberships().remove(membership);
        client.channel().description().ifPresent(description -> description.left(membership));
        gone(client.channel(), membership);
    }

    /** The id of a client of a connection, if one has told it. Event loop of the connection. */
    public static Optional<String> idOf(Connection connection) {
        return connection.attachment(ConnectedClient.class).flatMap(ConnectedClient::clientId);
    }

    /** Takes the clients of a connection out of all their groups. Called on its event loop when it has closed. */
    public void disconnected(Connection connection) {
        connection.attachment(ConnectedClient.class).ifPresent(this::disconnected);
    }

    void disconnected(ConnectedClient client) {
        client.memberships().forEach(membership -> gone(client.channel(), membership));
        client.memberships().clear();
    }

    private void gone(ClientChannel channel, Membership membership) {
        switch (membership.kind()) {
            case PRODUCER -> producers.gone(membership.group(), membership.clientId(), channel);
            case CONSUMER -> consumers.gone(membership.group(), membership.clientId(), channel);
        }
    }

    private void expire() {
        consumers.expire();
        producers.expire();
    }
}
