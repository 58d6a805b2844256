package io.anser.transport;

import io.anser.system.Threads;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns {@code host:port} into an address. Numeric hosts at once; names on threads of its own, because the platform's
 * look-up blocks. Thread-safe.
 */
final class AddressResolver implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AddressResolver.class);
    private static final int THREADS = 2;
    private static final int MOST_WAITING = 1024;

    private final ExecutorService lookUps = Threads.workers(
            "resolver", THREADS, MOST_WAITING, (where, cause) -> LOG.error("look-up failed thread={}", where, cause));

    /** Fails with {@link TransportException} of kind CONNECT. */
    CompletableFuture<InetSocketAddress> resolve(String hostPort) {
        int colon = hostPort.lastIndexOf(':');
        int port = colon < 0 ? -1 : port(hostPort, colon + 1);
        if (port < 0) {
            return CompletableFuture.failedFuture(failure("\"" + LogText.of(hostPort) + "\" is not host:port"));
        }
        String host = withoutBrackets(hostPort.substring(0, colon));
        byte[] numeric = NetUtil.createByteArrayFromIpAddressString(host);
        try {
            if (numeric != null) {
                return CompletableFuture.completedFuture(
                        new InetSocketAddress(InetAddress.getByAddress(numeric), port));
            }
            return CompletableFuture.supplyAsync(() -> lookUp(host, port), lookUps);
        } catch (UnknownHostException | RejectedExecutionException unresolvable) {
            return CompletableFuture.failedFuture(failure("cannot look up host " + LogText.of(host)));
        }
    }

    private static InetSocketAddress lookUp(String host, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException unknown) {
            throw failure("host " + LogText.of(host) + " is unknown");
        }
    }

    private static String withoutBrackets(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    private static int port(String hostPort, int from) {
        int digits = hostPort.length() - from;
        if (digits < 1 || digits > 5) {
            return -1;
        }
        int port = 0;
        for (int i = from; i < hostPort.length(); i++) {
            char c = hostPort.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            port = port * 10 + c - '0';
        }
        return port > 0 && port <= 65535 ? port : -1;
    }

    private static TransportException failure(String message) {
        return TransportException.notSent(TransportException.Kind.CONNECT, message);
    }

    @Override
    public void close() {
        lookUps.shutdownNow();
    }
}
