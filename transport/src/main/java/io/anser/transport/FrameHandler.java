package io.anser.transport;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.HeaderEncoding;
import io.anser.protocol.frame.MalformedFrameException;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The path of a frame: bytes from the socket, {@link FrameDecoder}, the loop's reusable header, then a request to the
 * {@link RemotingHandler} or a reply to the call that waits for it. It stops reading while the other side reads too slowly
 * or has too many requests unanswered, and closes what is malformed, half-open or idle. Owned by the event loop.
 */
final class FrameHandler extends ChannelInboundHandlerAdapter implements LoopState.Watched {
    private static final Logger LOG = LoggerFactory.getLogger(FrameHandler.class);

    private final LoopState loop;
    private final TransportSettings settings;
    private final PendingWrites allPending;
    private final Clock clock;
    private final Scheduler scheduler;
    private final Side side;
    private final HeaderEncoding encoding;
    private final RemotingHandler handler;
    private final RateLimitedLog warnings;
    private @Nullable Connection connection;
    private @Nullable FrameDecoder decoder;
    private boolean draining;
    private long openedSecond;
    private long lastReadSecond;

    /** Who made the connection: the side that dialled mostly asks, the one that accepted mostly answers. */
    enum Side {
        DIALLED,
        ACCEPTED
    }

    /**
     * Serves a connection that is or will be made.
     *
     * @param allPending what waits for all connections of which it is one
     * @param encoding how our own requests are written until the other side has shown what it prefers
     */
    FrameHandler(
            LoopState loop,
            TransportSettings settings,
            PendingWrites allPending,
            Clock clock,
            Scheduler scheduler,
            Side side,
            HeaderEncoding encoding,
            RemotingHandler handler,
            RateLimitedLog warnings) {
        this.loop = loop;
        this.settings = settings;
        this.allPending = allPending;
        this.clock = clock;
        this.scheduler = scheduler;
        this.side = side;
        this.encoding = encoding;
        this.handler = handler;
        this.warnings = warnings;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        if (ctx.channel().isActive()) {
            begin(ctx.channel());
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        begin(ctx.channel());
    }

    private void begin(Channel channel) {
        if (connection != null) {
            return;
        }
        decoder = new FrameDecoder(settings.frameLimits(), channel.alloc());
        connection = new Connection(channel, loop, settings, allPending, clock, scheduler, encoding, this::readOn);
        openedSecond = loop.seconds();
        lastReadSecond = openedSecond;
        loop.watch(this);
        handler.connected(connection);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (decoder == null || connection == null) {
            ((ByteBuf) message).release();
            return;
        }
        lastReadSecond = loop.seconds();
        decoder.add((ByteBuf) message);
        drain(connection, decoder);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (connection != null) {
            connection.flush();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        // Told from inside a write: what is done now would get between the parts of the frame being written.
        ctx.executor().execute(this::readOn);
    }

    /** Called when a reason to stop reading may have gone, or come. */
    private void readOn() {
        if (decoder == null || connection == null || draining) {
            return;
        }
        drain(connection, decoder);
        connection.flush();
    }

    private void drain(Connection from, FrameDecoder frames) {
        draining = true;
        from.reading(true);
        try {
            while (mayRead(from) && frames.next()) {
                dispatch(from, frames);
            }
        } catch (MalformedFrameException malformed) {
            warnings.warn("connection closed: malformed frame", from, String.valueOf(malformed.getMessage()));
            frames.release();
            from.close();
        } finally {
            from.reading(false);
            draining = false;
        }
        frames.trim();
        from.readWhile(mayRead(from));
    }

    private boolean mayRead(Connection from) {
        // Who dialled reads on while the other side takes nothing: with both waiting for the other to read, neither
        // would.
        boolean answersGoOut = side == Side.DIALLED || from.isWritable();
        return answersGoOut && !from.window().isFull() && !from.isClosing();
    }

    private void dispatch(Connection from, FrameDecoder frames) {
        CommandHeader header = loop.header();
        byte[] bytes = loop.copyHeader(frames.buffer(), frames.headerIndex(), frames.headerBytes());
        header.decode(frames.encoding(), bytes, 0, frames.headerBytes());
        if (header.isResponse()) {
            reply(from, header, frames);
            return;
        }
        from.encoding(frames.encoding());
        from.window().enter(frames.frameBytes());
        handler.handle(new Call(from, header, frames.frameBytes()), header, frames.body());
    }

    private static void reply(Connection from, CommandHeader header, FrameDecoder frames) {
        OutgoingCall call = from.pendingCalls().take(header.opaque());
        if (call == null) {
            LOG.debug("reply dropped, nobody waits for it connection={} opaque={}", from, header.opaque());
            return;
        }
        call.succeed(new Reply(header.copy(), ByteBufUtil.getBytes(frames.body())));
    }

    /** Reads no more, lets the answers out that are on their way, then closes. Any thread. */
    void closeWhenAnswered() {
        loop.loop().execute(() -> {
            if (connection != null) {
                connection.closeWhenAnswered();
            }
        });
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        loop.unwatch(this);
        if (decoder != null) {
            decoder.release();
        }
        if (connection != null) {
            connection.ended();
            handler.disconnected(connection);
        }
        ctx.fireChannelInactive();
    }

    @Override
    public void secondPassed(long seconds) {
        if (connection == null || decoder == null) {
            return;
        }
        if (isHalfOpen(decoder) && isOver(settings.handshakeTimeoutMillis(), seconds - openedSecond)) {
            warnings.warn("connection closed: no whole request in time", connection, "half-open");
            connection.close();
        } else if (isOver(settings.idleTimeoutMillis(), seconds - lastReadSecond)) {
            LOG.info("connection closed: idle connection={}", connection);
            connection.close();
        }
    }

    /** Where we dialled, the other side has nothing to say before it answers a call, which may be a long poll. */
    private boolean isHalfOpen(FrameDecoder frames) {
        return side == Side.ACCEPTED && !frames.headerSeen();
    }

    /** Whether a limit has passed for certain, given that the first counted second may have been a short one. */
    static boolean isOver(long limitMillis, long seconds) {
        return TimeUnit.SECONDS.toMillis(seconds - 1) >= limitMillis;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof IOException) {
            LOG.debug("connection ended by the network connection={}", connection, cause);
        } else {
            LOG.error("connection closed after a fault connection={}", connection, cause);
        }
        ctx.close();
    }
}
