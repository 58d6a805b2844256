package io.anser.broker.registration;

import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.RouteAnnouncer;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import io.anser.transport.RemotingClient;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps every name server informed: each has a {@linkplain NameServerLink link} of its own, so that a dead one delays
 * nothing. The links are owned by the timer thread; the public methods may be called from any thread.
 */
public final class NameServerRegistration implements RouteAnnouncer, AutoCloseable {
    /** Longest wait of somebody who asked for an announcement. */
    static final long MAX_WAIT_MILLIS = 1000;

    /** Longest wait at the start, when a slow machine has most to do and nobody is served without a route. */
    static final long MAX_START_WAIT_MILLIS = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(NameServerRegistration.class);

    private final NameServerCalls calls;
    private final Scheduler scheduler;
    private final long periodMillis;
    private volatile List<NameServerLink> links = List.of();
    private volatile boolean started;
    private volatile boolean closed;

    /**
     * Makes the registration of a broker.
     *
     * @param periodMillis time between two registrations when nothing changes
     */
    public static NameServerRegistration of(
            BrokerIdentity broker,
            BrokerState state,
            RemotingClient client,
            Clock clock,
            Scheduler scheduler,
            long periodMillis) {
        NameServerCalls calls = new RemotingNameServerCalls(broker, state, client, clock);
        return new NameServerRegistration(calls, scheduler, periodMillis);
    }

    NameServerRegistration(NameServerCalls calls, Scheduler scheduler, long periodMillis) {
        this.calls = calls;
        this.scheduler = scheduler;
        this.periodMillis = periodMillis;
    }

    /**
     * Begins to register.
     *
     * @param nameServers {@code host:port} of each; names are looked up again with every new connection
     * @return completes when every name server that can be reached knows the broker, after ten seconds at the latest
     */
    public CompletableFuture<@Nullable Void> start(Collection<String> nameServers) {
        CompletableFuture<@Nullable Void> registered = new CompletableFuture<>();
        links = nameServers.stream()
                .map(address -> new NameServerLink(address, calls, scheduler, periodMillis))
                .toList();
        started = true;
        announce(() -> registered.complete(null), MAX_START_WAIT_MILLIS);
        return registered;
    }

    /**
     * Registers with these from now on. Those that are new are told at once, those that are left out are told that the broker
     * goes. Nothing happens before {@link #start}.
     *
     * @param nameServers {@code host:port} of each
     */
    public void nameServers(Collection<String> nameServers) {
        List<String> wanted = List.copyOf(nameServers);
        scheduler.schedule(0, () -> {
            if (started && !closed) {
                change(wanted);
            }
        });
    }

    private void change(List<String> wanted) {
        List<NameServerLink> before = links;
        List<NameServerLink> after = new ArrayList<>();
        for (String address : wanted) {
            Optional<NameServerLink> known = before.stream()
                    .filter(link -> link.nameServer().equals(address))
                    .findFirst();
            NameServerLink link = known.orElseGet(() -> new NameServerLink(address, calls, scheduler, periodMillis));
            after.add(link);
            if (known.isEmpty()) {
                link.register(() -> {});
            }
        }
        links = List.copyOf(after);
        for (NameServerLink link : before) {
            if (!after.contains(link)) {
                link.close();
                calls.unregister(link.nameServer())
                        .whenComplete((nothing, failure) -> LOG.info(
                                "registers no more nameServer={} told={}", link.nameServer(), failure == null));
            }
        }
    }

    @Override
    public void announce(Runnable done) {
        announce(done, MAX_WAIT_MILLIS);
    }

    private void announce(Runnable done, long waitMillis) {
        if (!started || closed || links.isEmpty()) {
            done.run();
            return;
        }
        scheduler.schedule(0, () -> announceNow(done, waitMillis));
    }

    private void announceNow(Runnable done, long waitMillis) {
        List<NameServerLink> awaited =
                links.stream().filter(NameServerLink::isReachable).toList();
        AtomicBoolean told = new AtomicBoolean();
        Runnable tell = () -> {
            if (told.compareAndSet(false, true)) {
                done.run();
            }
        };
        AtomicInteger left = new AtomicInteger(awaited.size());
        for (NameServerLink link : links) {
            if (awaited.contains(link)) {
                link.register(() -> {
                    if (left.decrementAndGet() == 0) {
                        tell.run();
                    }
                });
            } else {
                link.register(() -> {});
            }
        }
        if (awaited.isEmpty()) {
            tell.run();
        } else {
            scheduler.schedule(waitMillis, tell);
        }
    }

    /** A connection to some name server has ended: it may have started anew and have forgotten the broker. */
    public void connectionLost() {
        if (started && !closed) {
            scheduler.schedule(0, () -> links.forEach(NameServerLink::registerSoon));
        }
    }

    /** Registers no more and tells the name servers that the broker goes; waits at most one second for them. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        scheduler.schedule(0, () -> links.forEach(NameServerLink::close));
        if (!started) {
            return;
        }
        CompletableFuture<?>[] goodbyes =
                links.stream().map(link -> calls.unregister(link.nameServer())).toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(goodbyes)
                    .orTimeout(MAX_WAIT_MILLIS, TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException e) {
            // The name server notices the closed connection as well.
            LOG.debug("not every name server heard that the broker goes: {}", e.getMessage());
        }
    }
}
