package io.anser.nameserver;

import io.anser.transport.Connection;

/**
 * Chooses the address under which a broker is named to one asking connection. A process that is name server and broker in
 * one names its own broker by the address on which the asking connection reached it. Called from any thread.
 */
@FunctionalInterface
public interface AddressTranslator {
    /** Names every broker as it registered. */
    AddressTranslator AS_REGISTERED = (asking, brokerAddress) -> brokerAddress;

    /**
     * Returns the {@code host:port} to answer with.
     *
     * @param asking the connection that the answer goes to
     * @param brokerAddress {@code host:port} as the broker registered it
     */
    String translate(Connection asking, String brokerAddress);
}
