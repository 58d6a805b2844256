package io.anser.transport;

import io.anser.protocol.frame.HeaderEncoding;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import java.net.InetSocketAddress;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on one address and serves every protocol that has a slot there; frames always have one. Thread-safe.
 */
public final class RemotingServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RemotingServer.class);
    private static final long CLOSE_MILLIS = 300;

    private final EventLoops loops;
    private final boolean ownsLoops;
    private final TransportSettings settings;
    private final RemotingHandler handler;
    private final Clock clock;
    private final Scheduler scheduler;
    private final Map<WireProtocol, ProtocolSlot> slots = new EnumMap<>(WireProtocol.class);
    private final RateLimitedLog warnings;
    private final PendingWrites allPending;
    private final ChannelGroup connections;
    private final Channel listener;

    private RemotingServer(
            EventLoops loops,
            boolean ownsLoops,
            TransportSettings settings,
            InetSocketAddress listen,
            RemotingHandler handler,
            Clock clock,
            Scheduler scheduler,
            List<ProtocolSlot> otherSlots) {
        this.loops = loops;
        this.ownsLoops = ownsLoops;
        this.settings = settings;
        this.handler = handler;
        this.clock = clock;
        this.scheduler = scheduler;
        this.warnings = new RateLimitedLog(LOG, clock);
        this.allPending = new PendingWrites(settings.maxAllPendingWriteBytes(), warnings);
        this.connections = new DefaultChannelGroup("connections", loops.next());
        slots.put(WireProtocol.REMOTING, new FrameSlot());
        otherSlots.forEach(slot -> slots.put(slot.protocol(), slot));
        this.listener = listen(listen);
    }

    /**
     * Starts a server with event loops of its own.
     *
     * @param listen where to listen; port 0 takes any free one, see {@link #address}
     * @throws TransportException of kind LISTEN if the address cannot be listened on
     */
    public static RemotingServer start(
            TransportSettings settings,
            InetSocketAddress listen,
            RemotingHandler handler,
            Clock clock,
            Scheduler scheduler) {
        EventLoops loops = EventLoops.start(settings, scheduler);
        try {
            return new RemotingServer(loops, true, settings, listen, handler, clock, scheduler, List.of());
        } catch (TransportException notListening) {
            loops.close();
            throw notListening;
        }
    }

    /**
     * Starts a server on event loops that it shares, and leaves running when it closes.
     *
     * @param otherSlots how protocols other than frames are served
     * @throws TransportException of kind LISTEN if the address cannot be listened on
     */
    public static RemotingServer start(
            EventLoops loops,
            TransportSettings settings,
            InetSocketAddress listen,
            RemotingHandler handler,
            Clock clock,
            Scheduler scheduler,
            List<ProtocolSlot> otherSlots) {
        return new RemotingServer(loops, false, settings, listen, handler, clock, scheduler, otherSlots);
    }

    private Channel listen(InetSocketAddress address) {
        ChannelFuture bound = loops.serverBootstrap()
                .option(ChannelOption.SO_BACKLOG, settings.acceptBacklog())
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, readSizes())
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, waterMark(settings))
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel accepted) {
                        accept(accepted);
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw TransportException.notSent(
                    TransportException.Kind.LISTEN,
                    "cannot listen on " + LogText.address(address) + ": "
                            + bound.cause().getMessage());
        }
        return bound.channel();
    }

    static AdaptiveRecvByteBufAllocator readSizes() {
        return new AdaptiveRecvByteBufAllocator(512, 4096, 128 << 10);
    }

    static WriteBufferWaterMark waterMark(TransportSettings settings) {
        return new WriteBufferWaterMark(settings.writeHighWaterBytes() / 2, settings.writeHighWaterBytes());
    }

    private void accept(Channel accepted) {
        if (connections.size() >= settings.maxConnections()) {
            warnings.warn(
                    "connection refused: too many",
                    LogText.address((InetSocketAddress) accepted.remoteAddress()),
                    "net.max-connections is " + settings.maxConnections());
            accepted.close();
            return;
        }
        connections.add(accepted);
        accepted.pipeline()
                .addLast(new ProtocolDetector(
                        loops.stateOf(accepted.eventLoop()), slots, settings.handshakeTimeoutMillis(), warnings));
    }

    /** The address that is listened on, with the real port. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    /** Connections that are open now. */
    public int connections() {
        return connections.size();
    }

    /**
     * Stops accepting and reading, lets out the answers that are on their way for at most
     * {@link TransportSettings#closeGraceMillis}, and closes everything. With its default this takes less than 2 s.
     */
    @Override
    public void close() {
        listener.close().awaitUninterruptibly(CLOSE_MILLIS);
        for (Channel each : connections) {
            FrameHandler frames = each.pipeline().get(FrameHandler.class);
            if (frames == null) {
                each.close();
            } else {
                frames.closeWhenAnswered();
            }
        }
        if (!connections.newCloseFuture().awaitUninterruptibly(settings.closeGraceMillis())) {
            connections.close().awaitUninterruptibly(CLOSE_MILLIS);
        }
        if (ownsLoops) {
            loops.close();
        }
    }

    /** Serves frames: the one protocol that is always there. */
    private final class FrameSlot implements ProtocolSlot {
        @Override
        public WireProtocol protocol() {
            return WireProtocol.REMOTING;
        }

        @Override
        public void install(Channel channel) {
            LoopState loop = loops.stateOf(channel.eventLoop());
            channel.pipeline()
                    .addLast(new FrameHandler(
                            loop,
                            settings,
                            allPending,
                            clock,
                            scheduler,
                            FrameHandler.Side.ACCEPTED,
                            HeaderEncoding.JSON,
                            handler,
                            warnings));
        }
    }
}
