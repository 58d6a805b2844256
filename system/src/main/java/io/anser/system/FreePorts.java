package io.anser.system;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Finds ports of loopback that nobody listens on, for processes that have to name one another's ports before they listen. Any
 * thread.
 */
public final class FreePorts {
    private static final int TRIES = 1000;
    private static final int FIRST = 12_000;

    /** Linux takes the local ports of connections from behind it. */
    private static final int RANGE = 20_000;

    /** No row twice in one process: what was stopped may still hold its ports. */
    private static final AtomicInteger TRIED = new AtomicInteger();

    private FreePorts() {}

    /**
     * The first of so many free ports in a row, none of which the system gives to connections.
     *
     * @throws IOException if none are found
     */
    public static int row(int ports) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            int first = FIRST + (int) ((ProcessHandle.current().pid() + TRIED.getAndAdd(ports)) % RANGE);
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
