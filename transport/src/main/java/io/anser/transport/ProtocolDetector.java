package io.anser.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;

/**
 * The first handler of an accepted connection: looks at its first bytes, lets the slot of that protocol install its
 * handlers, hands them the bytes and leaves. Closes what it does not know and what says too little for too long. Owned by
 * the event loop.
 */
final class ProtocolDetector extends ChannelInboundHandlerAdapter implements LoopState.Watched {
    private final LoopState loop;
    private final Map<WireProtocol, ProtocolSlot> slots;
    private final long handshakeTimeoutMillis;
    private final RateLimitedLog warnings;
    private final long openedSecond;
    private ByteBuf first = Unpooled.EMPTY_BUFFER;
    private Runnable close = () -> {};
    private String peer = "";

    ProtocolDetector(
            LoopState loop,
            Map<WireProtocol, ProtocolSlot> slots,
            long handshakeTimeoutMillis,
            RateLimitedLog warnings) {
        this.loop = loop;
        this.slots = slots;
        this.handshakeTimeoutMillis = handshakeTimeoutMillis;
        this.warnings = warnings;
        this.openedSecond = loop.seconds();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        close = ctx::close;
        loop.watch(this);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        peer = LogText.address((InetSocketAddress) ctx.channel().remoteAddress());
        ctx.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf more = (ByteBuf) message;
        first = first.isReadable() ? Unpooled.wrappedBuffer(first, more) : more;
        Optional<WireProtocol> protocol = WireProtocol.recognise(first);
        if (protocol.isEmpty()) {
            return;
        }
        ProtocolSlot slot = slots.get(protocol.get());
        if (slot == null) {
            warnings.warn(
                    "connection closed: protocol not served here",
                    peer,
                    protocol.get().name());
            ctx.close();
            return;
        }
        slot.install(ctx.channel());
        ByteBuf all = first;
        first = Unpooled.EMPTY_BUFFER;
        ctx.fireChannelRead(all);
        ctx.pipeline().remove(this);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        loop.unwatch(this);
        first.release();
        first = Unpooled.EMPTY_BUFFER;
    }

    @Override
    public void secondPassed(long seconds) {
        if (FrameHandler.isOver(handshakeTimeoutMillis, seconds - openedSecond)) {
            warnings.warn("connection closed: no protocol in time", peer, "half-open");
            close.run();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }
}
