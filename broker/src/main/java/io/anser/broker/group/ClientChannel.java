package io.anser.broker.group;

import io.anser.protocol.frame.FieldSource;
import io.anser.transport.Connection;
import io.anser.transport.Reply;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The way to one client. Two channels are equal when they are the same connection. */
public interface ClientChannel {
    /** Sends the client a request that it does not answer; dropped if the client is gone. Any thread. */
    default void sendOneWay(int code, FieldSource fields) {
        sendOneWay(code, fields, Unpooled.EMPTY_BUFFER);
    }

    /**
     * Sends the client a request with a body that it does not answer; dropped if the client is gone. Any thread.
     *
     * @param body taken over
     */
    void sendOneWay(int code, FieldSource fields, ByteBuf body);

    /**
     * Sends the client a request that it answers.
     *
     * @param body taken over
     * @param timeoutMillis how long to wait for the answer
     * @return completed on an event loop; fails when the client is gone or silent
     */
    CompletableFuture<Reply> call(int code, FieldSource fields, ByteBuf body, long timeoutMillis);

    /** Returns {@code host:port} that the client's connection comes from. */
    default String address() {
        return "unknown";
    }

    /** Returns what the client has said about itself; empty if it has not said anything yet. */
    default Optional<SelfDescription> description() {
        return Optional.empty();
    }

    /** The channel of a remoting connection. */
    static ClientChannel of(Connection connection) {
        return new Remoting(connection);
    }

    /** A client at the other end of a remoting connection. */
    record Remoting(Connection connection) implements ClientChannel {
        @Override
        public void sendOneWay(int code, FieldSource fields, ByteBuf body) {
            connection.sendOneWay(code, fields, body);
        }

        @Override
        public CompletableFuture<Reply> call(int code, FieldSource fields, ByteBuf body, long timeoutMillis) {
            return connection.call(code, fields, body, timeoutMillis);
        }

        @Override
        public String address() {
            InetSocketAddress remote = connection.remoteAddress();
            String host = remote.isUnresolved()
                    ? remote.getHostString()
                    : remote.getAddress().getHostAddress();
            return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + remote.getPort();
        }

        @Override
        public Optional<SelfDescription> description() {
            return connection.attachment(SelfDescription.class);
        }
    }
}
