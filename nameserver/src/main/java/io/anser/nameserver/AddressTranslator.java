package io.anser.nameserver;

import io.anser.transport.Connection;
import io.anser.transport.LogText;

/**
 * Chooses the address under which a broker is named to one asking connection. A process that is name server and broker in
 * one names its own broker by the address on which the asking connection reached it. Called from any thread.
 */
@FunctionalInterface
public interface AddressTranslator {
    /** Names every broker as it registered. */
    AddressTranslator AS_REGISTERED = (asking, brokerAddress) -> brokerAddress;

    /**
     * Names the broker of this process by the address on which the asking connection reached the process, all others as
     * they registered. Right for loopback, several network cards and forwarding with equal port numbers.
     *
     * @param registered {@code host:port} under which this process's broker registers
     */
    static AddressTranslator ownBroker(String registered) {
        return (asking, brokerAddress) ->
                brokerAddress.equals(registered) ? LogText.address(asking.localAddress()) : brokerAddress;
    }

    /**
     * Returns the {@code host:port} to answer with.
     *
     * @param asking the connection that the answer goes to
     * @param brokerAddress {@code host:port} as the broker registered it
     */
    String translate(Connection asking, String brokerAddress);
}
