package io.anser.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The addresses by which others of its cluster may mean a process: those it was given, and where it listens. Immutable. */
final class OwnAddresses {
    private static final Logger LOG = LoggerFactory.getLogger(OwnAddresses.class);

    private final Set<String> given;
    private final Set<String> hosts;
    private final int port;

    private OwnAddresses(Set<String> given, Set<String> hosts, int port) {
        this.given = Set.copyOf(given);
        this.hosts = Set.copyOf(hosts);
        this.port = port;
    }

    /**
     * Those of a process. One that listens everywhere has those of all its network cards at this moment.
     *
     * @param listen where it listens; any port counts where that is 0
     * @param given {@code host:port} by which others know it, or {@code host} alone with the port above; may be empty
     */
    static OwnAddresses of(ListenAddress listen, String... given) {
        Set<String> hosts = new HashSet<>();
        hosts.add(plain(listen.host()));
        Stream.of(given)
                .filter(text -> !text.isBlank())
                .map(OwnAddresses::plain)
                .forEach(hosts::add);
        InetSocketAddress bound = listen.resolve();
        hosts.add(text(bound.getAddress()));
        if (bound.getAddress().isAnyLocalAddress()) {
            hosts.addAll(ofThisMachine());
        }
        if (bound.getAddress().isAnyLocalAddress() || bound.getAddress().isLoopbackAddress()) {
            hosts.add("localhost");
        }
        return new OwnAddresses(
                Stream.of(given).map(OwnAddresses::written).collect(Collectors.toSet()), hosts, listen.port());
    }

    private static Set<String> ofThisMachine() {
        Set<String> hosts = new HashSet<>();
        try {
            hosts.addAll(NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .map(OwnAddresses::text)
                    .collect(Collectors.toSet()));
            hosts.add(InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT));
        } catch (SocketException | UnknownHostException e) {
            LOG.warn("not all addresses of this machine are known, others may have to use broker.advertise", e);
        }
        return hosts;
    }

    /** Whether an address as somebody dialled it, {@code host:port}, is one of them. */
    boolean has(String dialled) {
        int colon = dialled.lastIndexOf(':');
        if (colon < 1) {
            return false;
        }
        boolean isPort = port == 0 || dialled.substring(colon + 1).equals(Integer.toString(port));
        return given.contains(written(dialled)) || (isPort && hosts.contains(plain(dialled.substring(0, colon))));
    }

    /** The host as below, the port as it is. */
    private static String written(String hostPort) {
        int colon = hostPort.lastIndexOf(':');
        return colon < 1 ? "" : plain(hostPort.substring(0, colon)) + hostPort.substring(colon);
    }

    /** A host name in small letters, an IPv6 address as {@link InetAddress} writes it; nobody is asked for a name. */
    private static String plain(String host) {
        boolean bare = host.indexOf(':') >= 0 && !host.startsWith("[");
        String written = bare ? "[" + host + "]" : host;
        if (!written.startsWith("[") || !written.endsWith("]")) {
            return written.toLowerCase(Locale.ROOT);
        }
        try {
            return text(InetAddress.getByName(written));
        } catch (UnknownHostException noAddress) {
            return written;
        }
    }

    private static String text(InetAddress address) {
        String text = address.getHostAddress();
        int zone = text.indexOf('%');
        return zone < 0 ? text : text.substring(0, zone);
    }
}
