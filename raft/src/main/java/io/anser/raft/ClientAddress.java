package io.anser.raft;

import io.anser.protocol.message.WireHost;
import java.util.HexFormat;
import java.util.Optional;

/** The address of a client as one member tells it to another: hexadecimal digits of the address, a colon, the port. */
final class ClientAddress {
    private static final int PORT_MAX = 0xFFFF;

    private ClientAddress() {}

    static String text(WireHost client) {
        return HexFormat.of().formatHex(client.address().getAddress()) + ":" + client.port();
    }

    /** Empty when the text is none. */
    static Optional<WireHost> read(String text) {
        int colon = text.indexOf(':');
        if (colon != 8 && colon != 32) {
            return Optional.empty();
        }
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            byte[] address = HexFormat.of().parseHex(text.substring(0, colon));
            return port < 0 || port > PORT_MAX ? Optional.empty() : Optional.of(WireHost.of(address, port));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
