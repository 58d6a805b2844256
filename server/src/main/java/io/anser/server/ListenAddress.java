package io.anser.server;

import io.anser.server.settings.SettingsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * Where a server listens.
 *
 * @param host a host name or address as the operator wrote it, without the brackets of IPv6
 * @param port 0 to 65535; 0 takes a free one
 */
public record ListenAddress(String host, int port) {
    private static final int MAX_PORT = 65535;

    /**
     * Reads {@code host:port}; the host of an IPv6 address stands in brackets.
     *
     * @throws SettingsException if the text is not of that form or the port is outside 0 to 65535
     */
    public static ListenAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 1) {
            throw new SettingsException("address " + text + " is not of the form host:port, such as 127.0.0.1:9876");
        }
        String host = text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        return new ListenAddress(host, parsePort(text, text.substring(colon + 1)));
    }

    private static int parsePort(String text, String digits) {
        try {
            int port = Integer.parseInt(digits);
            if (port >= 0 && port <= MAX_PORT) {
                return port;
            }
        } catch (NumberFormatException e) {
            // falls through to the one answer for both mistakes
        }
        throw new SettingsException(
                "address " + text + " has the port " + digits + "; 0 to " + MAX_PORT + " is allowed");
    }

    /**
     * The socket address to bind.
     *
     * @throws SettingsException if the host name cannot be resolved
     */
    public InetSocketAddress resolve() {
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw new SettingsException("address " + host + ":" + port + " names a host that cannot be resolved");
        }
    }
}
