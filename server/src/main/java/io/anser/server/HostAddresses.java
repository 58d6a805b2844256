package io.anser.server;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Comparator;
import java.util.List;

/** The address under which others find this process. */
final class HostAddresses {
    private HostAddresses() {}

    /**
     * The address to put into messages and registrations for a bound address: itself, or where it stands for every
     * interface the most useful address of this machine (IPv4 before IPv6, loopback last).
     */
    static InetSocketAddress reachable(InetSocketAddress bound) {
        if (!bound.getAddress().isAnyLocalAddress()) {
            return bound;
        }
        return new InetSocketAddress(best(), bound.getPort());
    }

    private static InetAddress best() {
        try {
            List<InetAddress> candidates = NetworkInterface.networkInterfaces()
                    .filter(HostAddresses::isUp)
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> !address.isLinkLocalAddress())
                    .sorted(Comparator.comparing(InetAddress::isLoopbackAddress)
                            .thenComparing(address -> !(address instanceof Inet4Address)))
                    .toList();
            return candidates.isEmpty() ? InetAddress.getLoopbackAddress() : candidates.get(0);
        } catch (SocketException e) {
            return InetAddress.getLoopbackAddress();
        }
    }

    private static boolean isUp(NetworkInterface network) {
        try {
            return network.isUp();
        } catch (SocketException e) {
            return false;
        }
    }

    /** Host and port as clients write them, IPv6 in brackets. */
    static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
