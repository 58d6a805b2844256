package io.anser.transport;

import io.anser.protocol.frame.FieldSource;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import io.netty.buffer.ByteBuf;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Calls other processes: one connection per address, made when it is first needed and again when it was lost. A lost
 * address is not dialled again before a growing pause is over; meanwhile its calls fail at once. Futures complete on an
 * event loop, so what depends on them must not block. Thread-safe.
 */
public final class RemotingClient implements AutoCloseable {
    private static final int MOST_PEERS = 4096;

    private final EventLoops loops;
    private final boolean ownsLoops;
    private final TransportSettings settings;
    private final Clock clock;
    private final Scheduler scheduler;
    private final RemotingHandler serverRequests;
    private final ConnectionOpening opening;
    private final AddressResolver resolver = new AddressResolver();
    private final Map<String, Peer> peers = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** Makes a client with event loops of its own. */
    public RemotingClient(
            TransportSettings settings, Clock clock, Scheduler scheduler, RemotingHandler serverRequests) {
        this(
                EventLoops.start(settings, scheduler),
                true,
                settings,
                clock,
                scheduler,
                serverRequests,
                ConnectionOpening.NONE);
    }

    /**
     * Makes a client on event loops that it shares, and leaves running when it closes.
     *
     * @param serverRequests receives what the other sides ask of us
     */
    public RemotingClient(
            EventLoops loops,
            TransportSettings settings,
            Clock clock,
            Scheduler scheduler,
            RemotingHandler serverRequests) {
        this(loops, settings, clock, scheduler, serverRequests, ConnectionOpening.NONE);
    }

    /**
     * Makes a client as above.
     *
     * @param opening what comes first on every new connection
     */
    public RemotingClient(
            EventLoops loops,
            TransportSettings settings,
            Clock clock,
            Scheduler scheduler,
            RemotingHandler serverRequests,
            ConnectionOpening opening) {
        this(loops, false, settings, clock, scheduler, serverRequests, opening);
    }

    private RemotingClient(
            EventLoops loops,
            boolean ownsLoops,
            TransportSettings settings,
            Clock clock,
            Scheduler scheduler,
            RemotingHandler serverRequests,
            ConnectionOpening opening) {
        this.loops = loops;
        this.ownsLoops = ownsLoops;
        this.settings = settings;
        this.clock = clock;
        this.scheduler = scheduler;
        this.serverRequests = serverRequests;
        this.opening = opening;
    }

    /**
     * Sends a request and waits for its answer.
     *
     * @param hostPort {@code host:port}, with brackets around an IPv6 host
     * @param body taken over
     * @param timeoutMillis how long to wait for the answer, connecting included
     * @return fails with {@link TransportException}
     */
    public CompletableFuture<Reply> call(
            String hostPort, int code, FieldSource fields, ByteBuf body, long timeoutMillis) {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        long deadlineNanos = clock.nanos() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        send(hostPort, OutgoingCall.answered(code, fields, body, deadlineNanos, reply));
        return reply;
    }

    /**
     * Sends a request that nobody answers.
     *
     * @param hostPort {@code host:port}, with brackets around an IPv6 host
     * @param body taken over
     * @return completes when the socket has taken the request; fails with {@link TransportException}
     */
    public CompletableFuture<@Nullable Void> oneWay(String hostPort, int code, FieldSource fields, ByteBuf body) {
        CompletableFuture<@Nullable Void> written = new CompletableFuture<>();
        send(hostPort, OutgoingCall.oneWay(code, fields, body, written));
        return written;
    }

    private void send(String hostPort, OutgoingCall call) {
        Peer peer = peers.get(hostPort);
        if (peer == null) {
            if (peers.size() >= MOST_PEERS) {
                // Addresses come and go; those without a connection are only remembered for their pause.
                peers.values().removeIf(known -> !known.isConnected());
            }
            if (peers.size() >= MOST_PEERS) {
                call.refuse(TransportException.notSent(
                        TransportException.Kind.OVERLOADED, "more than " + MOST_PEERS + " addresses are in use"));
                return;
            }
            peer = peers.computeIfAbsent(hostPort, this::newPeer);
        }
        if (closed) {
            call.refuse(TransportException.notSent(TransportException.Kind.CLOSED, "the client is closed"));
            return;
        }
        peer.send(call);
    }

    private Peer newPeer(String hostPort) {
        return new Peer(hostPort, loops, settings, clock, scheduler, serverRequests, resolver, opening);
    }

    /** Closes the connection to an address, if there is one; the next call makes a new one. */
    public void closeConnection(String hostPort) {
        Peer peer = peers.remove(hostPort);
        if (peer != null) {
            peer.close();
        }
    }

    /** Closes all connections; calls that wait for an answer fail. */
    @Override
    public void close() {
        closed = true;
        peers.values().forEach(Peer::close);
        peers.clear();
        resolver.close();
        if (ownsLoops) {
            loops.close();
        }
    }
}
