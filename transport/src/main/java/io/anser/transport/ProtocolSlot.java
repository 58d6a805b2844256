package io.anser.transport;

import io.netty.channel.Channel;

/** Serves the connections of one protocol on the common port. A protocol without a slot is closed. */
public interface ProtocolSlot {
    /** The protocol served. */
    WireProtocol protocol();

    /**
     * Adds the protocol's handlers to the end of a new connection's pipeline. They receive everything from the first byte
     * on. Called on the connection's event loop.
     */
    void install(Channel channel);
}
