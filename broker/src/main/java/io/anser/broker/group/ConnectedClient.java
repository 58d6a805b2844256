package io.anser.broker.group;

import io.anser.transport.Connection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The client at the other end of one connection and the groups it is in. Tied to the connection, whose event loop owns it.
 */
final class ConnectedClient {
    private final ClientChannel channel;
    private final Set<Membership> memberships = new HashSet<>();

    ConnectedClient(ClientChannel channel) {
        this.channel = channel;
    }

    /** A client's place in a group. Several clients of one process may share a connection. */
    record Membership(Kind kind, String group, String clientId) {}

    /** What a client is in a group. */
    enum Kind {
        PRODUCER,
        CONSUMER
    }

    /** The client of a connection; made when it is first asked for. */
    static ConnectedClient of(Connection connection) {
        return connection.attachment(ConnectedClient.class).orElseGet(() -> {
            ConnectedClient client = new ConnectedClient(ClientChannel.of(connection));
            connection.attach(ConnectedClient.class, client);
            return client;
        });
    }

    /** The id that the client calls itself by; empty until it has told. */
    Optional<String> clientId() {
        return memberships.stream().map(Membership::clientId).findFirst();
    }

    ClientChannel channel() {
        return channel;
    }

    Set<Membership> memberships() {
        return memberships;
    }
}
