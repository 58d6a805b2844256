package io.anser.interop;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A name server and the three brokers of a group, each the packaged server as a process of its own. Owned by one test thread. */
final class AnserGroup implements AutoCloseable {
    private static final int SIZE = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final AnserServer nameServer;
    private final List<AnserServer> brokers = new ArrayList<>();

    AnserGroup(Path data) throws IOException {
        nameServer = AnserServer.start("nameserver", "127.0.0.1:0", data.resolve("names"));
        List<Integer> ports = freePorts();
        String members = IntStream.range(0, SIZE)
                .mapToObj(number -> number + "=127.0.0.1:" + ports.get(number))
                .collect(Collectors.joining(","));
        for (int number = 0; number < SIZE; number++) {
            brokers.add(AnserServer.start(
                    "broker",
                    "127.0.0.1:" + ports.get(number),
                    data.resolve("broker" + number),
                    "--nameservers",
                    nameServer.address(),
                    "--replication",
                    "raft",
                    "--members",
                    members,
                    "--member",
                    Integer.toString(number)));
        }
    }

    /** Members name one another before they listen, so that their ports have to be known. */
    private static List<Integer> freePorts() throws IOException {
        List<ServerSocket> taken = new ArrayList<>();
        try {
            for (int number = 0; number < SIZE; number++) {
                taken.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return taken.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : taken) {
                socket.close();
            }
        }
    }

    String nameServer() {
        return nameServer.address();
    }

    /** The leader, once one has said so to the name server and the others follow it. */
    AnserServer leader(Clients clients) {
        return await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> registeredLeader(clients), Optional::isPresent)
                .get();
    }

    private Optional<AnserServer> registeredLeader(Clients clients) throws Exception {
        Map<Long, String> addresses = clients.admin()
                .examineBrokerClusterInfo()
                .getBrokerAddrTable()
                .get(Clients.BROKER)
                .getBrokerAddrs();
        for (AnserServer broker : brokers) {
            if (broker.address().equals(addresses.get(0L)) && leads(clients, broker)) {
                return Optional.of(broker);
            }
        }
        return Optional.empty();
    }

    /** Another member may stand under the leader's id while there is none. */
    private static boolean leads(Clients clients, AnserServer broker) throws Exception {
        return "leader"
                .equals(clients.admin()
                        .fetchBrokerRuntimeStats(broker.address())
                        .getTable()
                        .get("replicationRole"));
    }

    @Override
    public void close() {
        brokers.forEach(AnserServer::close);
        nameServer.close();
    }
}
