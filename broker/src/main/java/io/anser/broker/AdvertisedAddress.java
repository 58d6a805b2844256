package io.anser.broker;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Comparator;
import java.util.Optional;

/**
 * The address that clients and name servers are told.
 *
 * @param text {@code host:port} as it is told, with brackets around an IPv6 host
 * @param address the same, resolved
 */
record AdvertisedAddress(String text, InetSocketAddress address) {
    /**
     * Decides on the address. Looks the host's name up, so it may block.
     *
     * @param advertise {@code host}, {@code host:port} or empty; without a port that of the listener
     * @param bound where the broker listens; if that is every address, the one of a network card is told
     */
    static AdvertisedAddress of(String advertise, InetSocketAddress bound) {
        if (advertise.isBlank()) {
            InetAddress host = bound.getAddress().isAnyLocalAddress() ? networkAddress() : bound.getAddress();
            InetSocketAddress address = new InetSocketAddress(host, bound.getPort());
            return new AdvertisedAddress(text(host.getHostAddress(), address.getPort()), address);
        }
        String host = advertise.strip();
        int port = bound.getPort();
        int colon = host.lastIndexOf(':');
        boolean plainV6 = host.indexOf(':') != colon && !host.startsWith("[");
        if (colon > host.indexOf(']') && !plainV6) {
            port = port(host.substring(colon + 1), advertise);
            host = host.substring(0, colon);
        }
        host = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("broker.advertise=" + advertise + ": the host is not known");
        }
        return new AdvertisedAddress(text(host, port), address);
    }

    private static int port(String text, String advertise) {
        try {
            int port = Integer.parseInt(text);
            if (port > 0 && port <= 65_535) {
                return port;
            }
        } catch (NumberFormatException e) {
            // Told below, with the whole value.
        }
        throw new IllegalArgumentException("broker.advertise=" + advertise + ": expected host:port");
    }

    private static String text(String host, int port) {
        // The zone of a link-local address means nothing to another machine.
        String plain = host.indexOf('%') < 0 ? host : host.substring(0, host.indexOf('%'));
        return plain.indexOf(':') < 0 ? plain + ":" + port : "[" + plain + "]:" + port;
    }

    /** Returns the address of a network card, IPv4 first; the loopback where there is none. */
    private static InetAddress networkAddress() {
        try {
            Optional<InetAddress> found = NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                    .min(Comparator.comparing(address -> !(address instanceof Inet4Address)));
            return found.orElseGet(InetAddress::getLoopbackAddress);
        } catch (SocketException e) {
            return InetAddress.getLoopbackAddress();
        }
    }
}
