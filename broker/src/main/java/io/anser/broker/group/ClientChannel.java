package io.anser.broker.group;

import io.anser.protocol.frame.FieldSource;
import io.anser.transport.Connection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

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
    }
}
