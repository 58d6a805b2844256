package io.anser.broker;

import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.RouteAnnouncer;
import io.anser.broker.registration.BrokerIdentity;
import io.anser.broker.registration.NameServerRegistration;
import io.anser.broker.registration.TopicRoutes;
import io.anser.protocol.body.TopicRoute;
import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.ResponseCode;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import io.anser.transport.Call;
import io.anser.transport.Connection;
import io.anser.transport.RemotingClient;
import io.anser.transport.RemotingHandler;
import io.netty.buffer.ByteBuf;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a broker has to do with name servers: it registers with them, and asks them for routes. Any thread. */
final class NameServers implements RouteAnnouncer, AutoCloseable {
    private final RemotingClient client;
    private final NameServerRegistration registration;
    private final TopicRoutes routes;

    /** Makes it; nobody is called before {@link #ask} and {@link #register}. */
    NameServers(
            BrokerIdentity identity,
            BrokerState state,
            Function<RemotingHandler, RemotingClient> clients,
            Clock clock,
            Scheduler scheduler,
            long registrationMillis) {
        Connections connections = new Connections();
        this.client = clients.apply(connections);
        this.registration = NameServerRegistration.of(identity, state, client, clock, scheduler, registrationMillis);
        connections.registration = registration;
        this.routes = new TopicRoutes(client, clock);
    }

    /** Begins to ask for routes. */
    void ask(Collection<String> addresses) {
        routes.start(addresses);
    }

    /**
     * Begins to register.
     *
     * @return completes when every name server that can be reached knows the broker
     */
    CompletableFuture<@Nullable Void> register(Collection<String> addresses) {
        return registration.start(addresses);
    }

    /** Where the queues of a topic are in the whole cluster. */
    CompletableFuture<Optional<TopicRoute>> routes(String topic) {
        return routes.find(topic);
    }

    @Override
    public void announce(Runnable done) {
        registration.announce(done);
    }

    /** Takes the broker out of the routes. */
    void unregister() {
        registration.close();
    }

    @Override
    public void close() {
        unregister();
        client.close();
    }

    /** The connections to name servers: they ask nothing of a broker, but their end tells of a restart. */
    private static final class Connections implements RemotingHandler {
        private volatile @Nullable NameServerRegistration registration;

        @Override
        public void handle(Call call, CommandHeader header, ByteBuf body) {
            call.respond(ResponseCode.REQUEST_CODE_NOT_SUPPORTED, "a broker answers requests on its own port only");
        }

        @Override
        public void disconnected(Connection connection) {
            NameServerRegistration told = registration;
            if (told != null) {
                told.connectionLost();
            }
        }
    }
}
