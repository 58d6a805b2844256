package io.anser.bench.peer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Finds ports of loopback that nobody listens on. */
final class FreePorts {
    private static final int TRIES = 100;

    private FreePorts() {}

    /** The first of so many free ports in a row. */
    static int row(int ports) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            int first;
            try (ServerSocket any = bound(0)) {
                first = any.getLocalPort();
            }
            if (areFree(first, ports)) {
                return first;
            }
        }
        throw new IOException("found no " + ports + " free ports in a row");
    }

    private static boolean areFree(int first, int ports) {
        for (int port = first; port < first + ports; port++) {
            try (ServerSocket socket = bound(port)) {
                socket.setSoTimeout(1);
            } catch (IOException | IllegalArgumentException taken) {
                return false;
            }
        }
        return true;
    }

    private static ServerSocket bound(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }
}
