package io.anser.server;

import java.net.InetSocketAddress;

/** Addresses as clients write them. */
final class HostAddresses {
    private HostAddresses() {}

    /** Host and port, an IPv6 host in brackets and without its zone, which means nothing to another machine. */
    static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        int zone = host.indexOf('%');
        String plain = zone < 0 ? host : host.substring(0, zone);
        return (plain.indexOf(':') >= 0 ? "[" + plain + "]" : plain) + ":" + address.getPort();
    }
}
