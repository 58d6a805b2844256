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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a broker has to do with name servers: it registers with them, and asks them for routes. Any thread. */
final class NameServers implements RouteAnnouncer, AutoCloseable {
    private final RemotingClient client;
    private final NameServerRegistration registration;
    private final TopicRoutes routes;
    private volatile List<String> own = List.of();
    private volatile List<String> present = List.of();
    private volatile boolean registering;

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

    /**
     * Begins to ask for routes.
     *
     * @param always {@code host:port} of those that are asked and told whatever the settings say
     * @param chosen those of the settings
     */
    void ask(List<String> always, List<String> chosen) {
        own = List.copyOf(always);
        routes.start(with(chosen));
    }

    private Set<String> with(List<String> addresses) {
        present = addresses;
        Set<String> all = new LinkedHashSet<>(own);
        all.addAll(addresses);
        return all;
    }

    /** Asks and tells others of the settings from now on. Nothing happens before {@link #register}. */
    void change(List<String> chosen) {
        if (registering && !chosen.equals(present)) {
            Set<String> all = with(chosen);
            routes.start(all);
            registration.nameServers(all);
        }
    }

    /**
     * Begins to register.
     *
     * @return completes when every name server that can be reached knows the broker
     */
    CompletableFuture<@Nullable Void> register() {
        CompletableFuture<@Nullable Void> registered = registration.start(with(present));
        registering = true;
        return registered;
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
