package io.anser.transport;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldSource;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Serves a few made-up operations and remembers what it saw. */
final class TestHandler implements RemotingHandler {
    /** Answers at once with the request's body. */
    static final int ECHO = 1;
    /** Is answered by the test, from {@link #held}. */
    static final int HOLD = 2;
    /** Answers with as many bytes as the opaque says. */
    static final int BYTES = 3;
    /** Is held and says so to the connection. */
    static final int PARK = 4;

    final Queue<Call> held = new ConcurrentLinkedQueue<>();
    final Queue<Connection> connections = new ConcurrentLinkedQueue<>();
    final AtomicInteger handled = new AtomicInteger();
    final AtomicInteger ended = new AtomicInteger();

    @Override
    public void connected(Connection connection) {
        connections.add(connection);
    }

    @Override
    public void disconnected(Connection connection) {
        ended.incrementAndGet();
    }

    @Override
    public void handle(Call call, CommandHeader header, ByteBuf body) {
        handled.incrementAndGet();
        switch (call.code()) {
            case ECHO -> call.respond(0, null, FieldSource.NONE, body.retain());
            case BYTES ->
                call.respond(0, null, FieldSource.NONE, Unpooled.directBuffer().writeZero(call.opaque()));
            case PARK -> {
                call.park();
                held.add(call);
            }
            default -> held.add(call);
        }
    }
}
