package io.anser.client;

import io.anser.protocol.message.UniqueId;
import io.anser.system.Clock;
import java.io.IOException;
import java.net.InetAddress;
import java.time.ZoneId;

/** What tells this client and its messages from all others: host address, process, and the moment it was made. */
final class ClientIdentity {
    private static final byte[] UNKNOWN_HOST = {127, 0, 0, 1};

    private final byte[] address;
    private final long processId = ProcessHandle.current().pid();
    private final int instance;

    private ClientIdentity(byte[] address, int instance) {
        this.address = address;
        this.instance = instance;
    }

    static ClientIdentity make(Clock clock) {
        return new ClientIdentity(hostAddress(), Long.hashCode(clock.nanos() * 31 + clock.wallMillis()));
    }

    /** {@code address@process#instance}. */
    String clientId() {
        return text() + "@" + processId + "#" + Integer.toUnsignedString(instance, 36);
    }

    UniqueId messageIds(Clock clock) {
        return new UniqueId(address, processId, instance, clock::wallMillis, ZoneId.systemDefault());
    }

    private String text() {
        try {
            return InetAddress.getByAddress(address).getHostAddress();
        } catch (IOException impossible) {
            throw new IllegalStateException("address of " + address.length + " bytes", impossible);
        }
    }

    private static byte[] hostAddress() {
        try {
            return InetAddress.getLocalHost().getAddress();
        } catch (IOException unnamedHost) {
            // A host without a name in its own resolver still has its process id and start time to tell it apart.
            return UNKNOWN_HOST;
        }
    }
}
