package io.anser.transport;

import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderEncoding;
import io.anser.protocol.message.WireHost;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One connection that carries frames, seen from either side. The public methods may be called from any thread; everything
 * else belongs to the connection's event loop. Two connections are never equal.
 */
public final class Connection {
    private static final AtomicLong IDS = new AtomicLong();
    private static final InetSocketAddress UNKNOWN = InetSocketAddress.createUnresolved("unknown", 0);
    private static final WireHost UNKNOWN_HOST = WireHost.of(new byte[4], 0);

    private final long id = IDS.incrementAndGet();
    private final Channel channel;
    private final LoopState loop;
    private final TransportSettings settings;
    private final Clock clock;
    private final FrameWriter writer;
    private final PendingWrites allPending;
    private final RequestWindow window;
    private final PendingCalls pendingCalls;
    private final InetSocketAddress remoteAddress;
    private final WireHost remoteHost;
    private final InetSocketAddress localAddress;
    private final Map<Class<?>, Object> attachments = new ConcurrentHashMap<>(2);
    private final Runnable resumeReading;
    private HeaderEncoding encoding;
    private int lastOpaque;
    private boolean reading;
    private boolean closing;

    /** What {@link PendingWrites} was told last. Written by the event loop. */
    private volatile long countedBytes;

    private boolean recountDue;

    Connection(
            Channel channel,
            LoopState loop,
            TransportSettings settings,
            PendingWrites allPending,
            Clock clock,
            Scheduler scheduler,
            HeaderEncoding encoding,
            Runnable resumeReading) {
        this.channel = channel;
        this.loop = loop;
        this.settings = settings;
        this.clock = clock;
        this.encoding = encoding;
        this.resumeReading = resumeReading;
        this.writer = new FrameWriter(channel);
        this.allPending = allPending;
        this.window = new RequestWindow(settings.maxInFlight(), settings.maxInFlightBytes());
        this.pendingCalls = new PendingCalls(loop, clock, scheduler, settings.maxPendingCalls());
        this.remoteAddress = internet(channel.remoteAddress());
        this.remoteHost = remoteAddress.isUnresolved() ? UNKNOWN_HOST : WireHost.of(remoteAddress);
        this.localAddress = internet(channel.localAddress());
    }

    private static InetSocketAddress internet(@Nullable SocketAddress address) {
        return address instanceof InetSocketAddress internet ? internet : UNKNOWN;
    }

    /** A number that no other connection of this process has. */
    public long id() {
        return id;
    }

    /** Where the other side's packets come from. */
    public InetSocketAddress remoteAddress() {
        return remoteAddress;
    }

    /** {@link #remoteAddress} as messages carry it; all zeros when it is not known. */
    public WireHost remoteHost() {
        return remoteHost;
    }

    /** The address of this process that the other side reached, or that a connection of ours went out from. */
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    /** Whether the connection still carries frames. */
    public boolean isOpen() {
        return channel.isActive();
    }

    /**
     * Sends a request that nobody answers. It is dropped if the connection has ended or is overloaded.
     *
     * @param body taken over
     */
    public void sendOneWay(int code, FieldSource fields, ByteBuf body) {
        OutgoingCall.oneWay(code, fields, body, new CompletableFuture<>()).sendOver(this);
    }

    /**
     * Sends a request to the other side.
     *
     * @param body taken over
     * @param timeoutMillis how long to wait for the answer
     * @return completed on the event loop, so what depends on it must not block; fails with {@link TransportException}
     */
    public CompletableFuture<Reply> call(int code, FieldSource fields, ByteBuf body, long timeoutMillis) {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        long deadlineNanos = clock.nanos() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        OutgoingCall.answered(code, fields, body, deadlineNanos, reply).sendOver(this);
        return reply;
    }

    /**
     * The event loop that owns the connection: runs tasks one after another, among the connection's own requests. Connections
     * of one loop have the same executor.
     */
    public Executor executor() {
        return loop.loop();
    }

    /** Closes the connection now, without sending what still waits. */
    public void close() {
        channel.close();
    }

    /** Ties an object to the connection, in place of the one of the same type tied before. */
    public <T> void attach(Class<T> type, T attachment) {
        attachments.put(type, attachment);
    }

    /** The object of this type that was tied to the connection. */
    public <T> Optional<T> attachment(Class<T> type) {
        return Optional.ofNullable(attachments.get(type)).map(type::cast);
    }

    /** The other side's address and the connection's number, for logs. */
    @Override
    public String toString() {
        return LogText.address(remoteAddress) + "#" + id;
    }

    LoopState loop() {
        return loop;
    }

    FrameWriter writer() {
        return writer;
    }

    PendingCalls pendingCalls() {
        return pendingCalls;
    }

    RequestWindow window() {
        return window;
    }

    /** How our own requests are written: as the other side writes its own. */
    HeaderEncoding encoding() {
        return encoding;
    }

    void encoding(HeaderEncoding seen) {
        encoding = seen;
    }

    int nextOpaque() {
        return ++lastOpaque;
    }

    /** Set while requests of this connection are handled: answers given meanwhile are written at once, flushed once. */
    void reading(boolean now) {
        reading = now;
    }

    boolean isOverloaded() {
        return writer.pendingBytes() > settings.maxPendingWriteBytes();
    }

    /** Writes an answer, at once on the reading event loop, else by way of the outbox. Any thread. */
    void send(Call answer) {
        if (loop.isCurrentThread() && reading) {
            answer.write();
        } else {
            loop.outbox().push(answer);
        }
    }

    /** Takes a request out of what is in flight; may read on. */
    void requestEnded(int frameBytes) {
        if (window.leave(frameBytes) && !reading) {
            resumeReading.run();
        }
    }

    /** Whether a {@link #flush} should follow; true once until then. A closing connection waits for its last answer. */
    boolean isFlushDue() {
        return isOpen() && (writer.touch() || (closing && window.isEmpty()));
    }

    /** Sends what was written. A connection that takes nothing for too long, or that only waited for this, is closed. */
    void flush() {
        writer.flush();
        if (closing && window.isEmpty()) {
            channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        } else if (isOverloaded()) {
            close();
        }
        count();
    }

    /** Tells how much waits, and does so again when the socket has taken that, and the count of what waits knows it. */
    private void count() {
        long now = isOpen() ? writer.passedBytes() : 0;
        long before = countedBytes;
        if (now != before) {
            countedBytes = now;
            allPending.changed(this, before, now);
        }
        if (now > 0 && !recountDue) {
            recountDue = true;
            channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(taken -> {
                if (taken.isSuccess()) {
                    channel.eventLoop().execute(this::recount);
                }
            });
        }
    }

    private void recount() {
        recountDue = false;
        count();
    }

    /** How many bytes were known to wait for the connection lately. Any thread. */
    long countedBytes() {
        return countedBytes;
    }

    /** Whether the other side takes what is written; if not, reading its next request would only add to the heap. */
    boolean isWritable() {
        return channel.isWritable();
    }

    void readWhile(boolean wanted) {
        if (channel.config().isAutoRead() != wanted && channel.isActive()) {
            channel.config().setAutoRead(wanted);
        }
    }

    boolean isClosing() {
        return closing;
    }

    /** Reads no more, lets the answers out that are on their way, then closes. */
    void closeWhenAnswered() {
        closing = true;
        readWhile(false);
        flush();
    }

    /** Ends what still waits for this connection. */
    void ended() {
        writer.release();
        count();
        allPending.ended(this);
        pendingCalls.failAll("the connection to " + this + " has ended");
    }
}
