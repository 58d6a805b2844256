package io.anser.transport;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.HeaderEncoding;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One address that a client calls, with its connection. Owned by one event loop, on which the connection lives; other
 * threads read only the published connection.
 */
final class Peer implements RemotingHandler {
    private static final Logger LOG = LoggerFactory.getLogger(Peer.class);
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 500;

    private final String hostPort;
    private final EventLoops loops;
    private final EventLoop loop;
    private final TransportSettings settings;
    private final Clock clock;
    private final Scheduler scheduler;
    private final RemotingHandler serverRequests;
    private final AddressResolver resolver;
    private final ConnectionOpening opening;
    private final RateLimitedLog warnings;
    private final PendingWrites allPending;
    private final Queue<OutgoingCall> waiting = new ArrayDeque<>();
    private volatile @Nullable Connection connection;
    private boolean connecting;
    private boolean closed;
    private long pauseMillis;
    private long notBeforeNanos;

    Peer(
            String hostPort,
            EventLoops loops,
            TransportSettings settings,
            Clock clock,
            Scheduler scheduler,
            RemotingHandler serverRequests,
            AddressResolver resolver,
            ConnectionOpening opening) {
        this.hostPort = hostPort;
        this.loops = loops;
        this.loop = loops.next();
        this.settings = settings;
        this.clock = clock;
        this.scheduler = scheduler;
        this.serverRequests = serverRequests;
        this.resolver = resolver;
        this.opening = opening;
        this.warnings = new RateLimitedLog(LOG, clock);
        // Who calls is bounded by what it waits for, address by address.
        this.allPending = new PendingWrites(PendingWrites.NO_LIMIT, warnings);
    }

    boolean isConnected() {
        return connection != null;
    }

    /** Sends a call now, or when there is a connection. Any thread. */
    void send(OutgoingCall call) {
        Connection made = connection;
        if (made != null && made.isOpen()) {
            call.sendOver(made);
            return;
        }
        try {
            loop.execute(() -> sendWhenConnected(call));
        } catch (RejectedExecutionException loopHasEnded) {
            call.refuse(TransportException.notSent(TransportException.Kind.CLOSED, "the client is closed"));
        }
    }

    private void sendWhenConnected(OutgoingCall call) {
        Connection made = connection;
        if (made != null && made.isOpen()) {
            call.sendOver(made);
        } else if (closed) {
            call.refuse(TransportException.notSent(TransportException.Kind.CLOSED, "the connection was closed"));
        } else if (waiting.size() >= settings.maxPendingCalls()) {
            call.refuse(TransportException.notSent(
                    TransportException.Kind.OVERLOADED, "too many calls wait for a connection to " + hostPort));
        } else if (!connecting && pauseMillis > 0 && clock.nanos() - notBeforeNanos < 0) {
            call.refuse(TransportException.notSent(
                    TransportException.Kind.CONNECT, hostPort + " could not be reached a moment ago"));
        } else {
            waiting.add(call);
            setAlarm(call);
            if (!connecting) {
                connecting = true;
                resolver.resolve(hostPort).whenComplete(this::resolved);
            }
        }
    }

    /** A call that allows less time than connecting may take does not wait for the connection to fail. */
    private void setAlarm(OutgoingCall call) {
        long leftMillis = TimeUnit.NANOSECONDS.toMillis(call.deadlineNanos() - clock.nanos());
        int longestMillis = settings.connectTimeoutMillis()
                + (opening == ConnectionOpening.NONE ? 0 : ConnectionOpening.LONGEST_MILLIS);
        if (!call.isOneWay() && leftMillis < longestMillis) {
            scheduler.schedule(leftMillis, () -> ring(call));
        }
    }

    private void ring(OutgoingCall call) {
        try {
            loop.execute(() -> endWaiting(call));
        } catch (RejectedExecutionException loopHasEnded) {
            // The client was closed, and with it this call.
        }
    }

    private void endWaiting(OutgoingCall call) {
        if (waiting.remove(call)) {
            call.refuse(TransportException.notSent(
                    TransportException.Kind.TIMEOUT, "no connection to " + hostPort + " in time"));
        }
    }

    private void resolved(@Nullable InetSocketAddress address, @Nullable Throwable failure) {
        if (!loop.inEventLoop()) {
            loop.execute(() -> resolved(address, failure));
        } else if (address == null) {
            connectFailed("the host could not be looked up");
        } else {
            connect(address);
        }
    }

    private void connect(InetSocketAddress address) {
        LoopState state = loops.stateOf(loop);
        loops.clientBootstrap(loop)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, settings.connectTimeoutMillis())
                .option(ChannelOption.RECVBUF_ALLOCATOR, RemotingServer.readSizes())
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, RemotingServer.waterMark(settings))
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(new FrameHandler(
                                        state,
                                        settings,
                                        allPending,
                                        clock,
                                        scheduler,
                                        FrameHandler.Side.DIALLED,
                                        HeaderEncoding.BINARY,
                                        Peer.this,
                                        warnings));
                    }
                })
                .connect(address)
                .addListener(done -> connectDone((ChannelFuture) done));
    }

    private void connectDone(ChannelFuture done) {
        if (!done.isSuccess()) {
            connectFailed(String.valueOf(done.cause().getMessage()));
        }
    }

    private void connectFailed(String reason) {
        connecting = false;
        pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, Math.max(FIRST_PAUSE_MILLIS, pauseMillis * 2));
        notBeforeNanos = clock.nanos() + TimeUnit.MILLISECONDS.toNanos(pauseMillis);
        refuseWaiting(TransportException.Kind.CONNECT, "cannot connect to " + hostPort + ": " + reason);
    }

    private void refuseWaiting(TransportException.Kind kind, String reason) {
        OutgoingCall call = waiting.poll();
        while (call != null) {
            call.refuse(TransportException.notSent(kind, reason));
            call = waiting.poll();
        }
    }

    @Override
    public void connected(Connection made) {
        opening.open(made, hostPort).whenComplete((nothing, failure) -> {
            if (failure == null) {
                opened(made);
            } else {
                made.close();
                connectFailed(String.valueOf(failure.getMessage()));
            }
        });
    }

    private void opened(Connection made) {
        connecting = false;
        pauseMillis = 0;
        if (closed) {
            made.close();
            return;
        }
        connection = made;
        serverRequests.connected(made);
        OutgoingCall call = waiting.poll();
        while (call != null) {
            call.sendOver(made);
            call = waiting.poll();
        }
    }

    @Override
    public void disconnected(Connection lost) {
        if (lost == connection) {
            connection = null;
            serverRequests.disconnected(lost);
        } // else it was never opened, and nobody knows of it
    }

    @Override
    public void handle(Call call, CommandHeader header, ByteBuf body) {
        serverRequests.handle(call, header, body);
    }

    /** Ends the connection and what waits for one. Any thread. */
    void close() {
        try {
            loop.execute(this::closeNow);
        } catch (RejectedExecutionException loopHasEnded) {
            // Its connections ended with it.
        }
    }

    private void closeNow() {
        closed = true;
        Connection made = connection;
        if (made != null) {
            made.close();
        }
        refuseWaiting(TransportException.Kind.CLOSED, "the connection to " + hostPort + " was closed");
    }
}
