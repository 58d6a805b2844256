package io.anser.client;

import io.anser.protocol.body.ConsumerData;
import io.anser.protocol.body.HeartbeatData;
import io.anser.protocol.body.ProducerData;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.Heartbeat;
import io.anser.protocol.operation.UnregisterClient;
import io.anser.system.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells every broker in the known routes who this client is: every 30 seconds, when a consumer starts, and when a
 * connection was made anew, since a broker forgets the members of a connection that has ended. Thread-safe; nothing blocks.
 */
final class Heartbeats {
    static final long PERIOD_MILLIS = 30_000;
    /** Connections made close together share one round. */
    private static final long AFTER_CONNECT_MILLIS = 20;

    private static final Logger log = LoggerFactory.getLogger(Heartbeats.class);
    private static final byte[] NO_BODY = {};

    private final String clientId;
    private final Remoting remoting;
    private final RouteCache routes;
    private final Sender sender;
    private final ClientSettings settings;
    private final Scheduler scheduler;
    private final List<GroupMember> members = new CopyOnWriteArrayList<>();
    private final AtomicBoolean soon = new AtomicBoolean();
    private volatile boolean closed;

    Heartbeats(
            String clientId,
            Remoting remoting,
            RouteCache routes,
            Sender sender,
            ClientSettings settings,
            Scheduler scheduler) {
        this.clientId = clientId;
        this.remoting = remoting;
        this.routes = routes;
        this.sender = sender;
        this.settings = settings;
        this.scheduler = scheduler;
    }

    void add(GroupMember member) {
        members.add(member);
    }

    /**
     * Takes a member out of the heartbeats and tells the brokers at once. Completes when they know, or did not answer.
     * Excludes {@link #beat}: a heartbeat that still names the member must not follow the word that it has left.
     */
    synchronized CompletableFuture<Void> remove(GroupMember member) {
        members.remove(member);
        return toAll(
                true,
                address -> remoting.demand(
                        address,
                        UnregisterClient.CODE,
                        new UnregisterClient.Request(clientId, "", member.group()),
                        NO_BODY));
    }

    /** The last word: tells the brokers that nothing is sent from here any more, if anything was. */
    CompletableFuture<Void> close() {
        closed = true;
        if (!sender.isUsed()) {
            return CompletableFuture.completedFuture(null);
        }
        return toAll(
                false,
                address -> remoting.demand(
                        address,
                        UnregisterClient.CODE,
                        new UnregisterClient.Request(clientId, settings.producerGroup(), ""),
                        NO_BODY));
    }

    /** Beats shortly, off the calling thread; calls that come close together share one round. */
    void beatSoon() {
        boolean nobody = members.isEmpty() && !sender.isUsed();
        if (!nobody && soon.compareAndSet(false, true)) {
            scheduler.schedule(AFTER_CONNECT_MILLIS, () -> {
                soon.set(false);
                beat();
            });
        }
    }

    /** Sends a heartbeat to every known broker. Completes when all have answered or failed; failures are logged. */
    synchronized CompletableFuture<Void> beat() {
        if (members.isEmpty() && !sender.isUsed()) {
            return CompletableFuture.completedFuture(null);
        }
        byte[] body = body();
        return toAll(!members.isEmpty(), address -> remoting.demand(address, Heartbeat.CODE, FieldSource.NONE, body));
    }

    /** Replicas need to know consumers only: nobody sends to them. */
    private CompletableFuture<Void> toAll(boolean replicasToo, Function<String, CompletableFuture<?>> send) {
        List<CompletableFuture<?>> sent = new ArrayList<>();
        for (String address : routes.brokerAddresses(replicasToo)) {
            sent.add(send.apply(address).handle((reply, failure) -> {
                if (failure != null && !closed) {
                    log.warn(
                            "broker not told of this client broker={} reason={}",
                            address,
                            Remoting.failure(failure).getMessage());
                }
                return null;
            }));
        }
        return CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new));
    }

    private byte[] body() {
        List<ConsumerData> consumers =
                members.stream().map(GroupMember::heartbeat).toList();
        List<ProducerData> producers =
                sender.isUsed() ? List.of(new ProducerData(settings.producerGroup())) : List.of();
        return new HeartbeatData(clientId, producers, consumers).write();
    }
}
