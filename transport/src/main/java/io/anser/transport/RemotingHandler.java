package io.anser.transport;

import io.anser.protocol.frame.CommandHeader;
import io.netty.buffer.ByteBuf;

/**
 * Receives the requests of a connection. All methods run on the connection's event loop and must not block.
 */
public interface RemotingHandler {
    /**
     * Handles one request. {@link Call#respond} must follow exactly once, now or later, from any thread, for one-way
     * requests too: it tells the connection that the request no longer occupies memory.
     *
     * @param call the request's identity and the way to answer it
     * @param header the request's header; valid only during this method
     * @param body the request's body, possibly empty; to keep it longer than this method, {@code retain()} it
     */
    void handle(Call call, CommandHeader header, ByteBuf body);

    /** Tells of a new connection, before its first request. */
    default void connected(Connection connection) {}

    /** Tells of a connection that has ended, after its last request. */
    default void disconnected(Connection connection) {}
}
