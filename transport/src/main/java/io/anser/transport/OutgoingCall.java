package io.anser.transport;

import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderEncoding;
import io.anser.protocol.frame.HeaderWriter;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A request of ours on its way to the other side. Made by any thread, then owned by the connection's event loop. A call
 * waits for its reply in {@link PendingCalls}; a one-way request is done when the socket has it.
 */
final class OutgoingCall extends Outgoing {
    private static final int ONE_WAY_FLAG = 2;

    private final int code;
    private final FieldSource fields;
    private final ByteBuf body;
    private final long deadlineNanos;
    private final @Nullable CompletableFuture<Reply> reply;
    private final @Nullable CompletableFuture<@Nullable Void> written;
    private @Nullable Connection connection;

    private OutgoingCall(
            int code,
            FieldSource fields,
            ByteBuf body,
            long deadlineNanos,
            @Nullable CompletableFuture<Reply> reply,
            @Nullable CompletableFuture<@Nullable Void> written) {
        this.code = code;
        this.fields = fields;
        this.body = body;
        this.deadlineNanos = deadlineNanos;
        this.reply = reply;
        this.written = written;
    }

    static OutgoingCall answered(
            int code, FieldSource fields, ByteBuf body, long deadlineNanos, CompletableFuture<Reply> reply) {
        return new OutgoingCall(code, fields, body, deadlineNanos, reply, null);
    }

    static OutgoingCall oneWay(int code, FieldSource fields, ByteBuf body, CompletableFuture<@Nullable Void> written) {
        return new OutgoingCall(code, fields, body, 0, null, written);
    }

    /** Hands the request to the event loop of a connection. */
    void sendOver(Connection chosen) {
        connection = chosen;
        chosen.loop().outbox().push(this);
    }

    @Override
    Connection connection() {
        if (connection == null) {
            throw new IllegalStateException("the request has no connection yet");
        }
        return connection;
    }

    boolean isOneWay() {
        return reply == null;
    }

    /** When the caller gives up; means nothing for a one-way request. */
    long deadlineNanos() {
        return deadlineNanos;
    }

    int code() {
        return code;
    }

    @Override
    void write() {
        Connection target = connection();
        if (!target.isOpen()) {
            refuse(TransportException.notSent(
                    TransportException.Kind.CLOSED, "the connection to " + target + " has ended"));
            return;
        }
        if (target.isOverloaded() || (reply != null && target.pendingCalls().isFull())) {
            refuse(TransportException.notSent(TransportException.Kind.OVERLOADED, "too much is waiting for " + target));
            return;
        }
        int opaque = target.nextOpaque();
        // The binary header has two bytes for the code, and some operations have numbers beyond.
        HeaderEncoding encoding = code == (short) code ? target.encoding() : HeaderEncoding.JSON;
        HeaderWriter header = target.loop().headerWriter();
        try {
            header.begin(encoding, code, reply == null ? ONE_WAY_FLAG : 0, opaque, null);
            fields.writeTo(header);
            header.end();
        } catch (RuntimeException unwritable) {
            body.release();
            fail(unwritable);
            return;
        }
        target.writer().write(header, encoding, body);
        if (reply != null) {
            target.pendingCalls().add(opaque, this);
        } else if (written != null) {
            target.writer().whenFlushed(written);
        }
    }

    /** Ends a request that was never written. */
    void refuse(TransportException reason) {
        body.release();
        fail(reason);
    }

    /** Ends a request that was written. */
    void fail(RuntimeException reason) {
        if (reply != null) {
            reply.completeExceptionally(reason);
        }
        if (written != null) {
            written.completeExceptionally(reason);
        }
    }

    void succeed(Reply answer) {
        if (reply != null) {
            reply.complete(answer);
        }
    }
}
