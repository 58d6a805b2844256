package io.anser.server.demo;

import io.anser.protocol.body.GroupMemberStatus;
import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.ResponseCode;
import io.anser.raft.membership.MemberQuestions;
import io.anser.system.Clock;
import io.anser.system.FreePorts;
import io.anser.system.TimerThread;
import io.anser.transport.Call;
import io.anser.transport.RemotingClient;
import io.anser.transport.RemotingHandler;
import io.anser.transport.TransportSettings;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Two name servers and three brokers of one group, each in a process of its own. Main thread. */
final class DemoCluster {
    private static final int NAME_SERVERS = 2;
    private static final int BROKERS = 3;
    private static final int NAME_SERVER_MEGABYTES = 64;
    private static final int BROKER_MEGABYTES = 160;
    private static final long LOOK_MILLIS = 20;
    private static final long LEADER_SECONDS = 60;

    private final Path folder;
    private final List<ChildServer> nameServers = new ArrayList<>();
    private final List<ChildServer> brokers = new ArrayList<>();
    private final Clock clock = Clock.system();
    private final TimerThread timer = TimerThread.start("demo-timer", clock, (where, cause) -> {});
    private final RemotingClient connections =
            new RemotingClient(TransportSettings.defaults(), clock, timer, new NothingAsked());
    private final MemberQuestions questions = new MemberQuestions(connections);

    /**
     * A cluster that is not started yet.
     *
     * @param folder where the brokers have their data, a folder each
     */
    DemoCluster(Path folder) {
        this.folder = folder;
    }

    /** Starts all processes and waits until they serve and one broker leads. */
    ChildServer start() throws IOException, InterruptedException {
        for (int number = 0; number < NAME_SERVERS; number++) {
            nameServers.add(launch("names" + number, NAME_SERVER_MEGABYTES, List.of("nameserver", "--listen", free())));
        }
        for (ChildServer nameServer : nameServers) {
            nameServer.awaitReady();
        }
        int firstPort = FreePorts.row(BROKERS); // members name one another's ports before they listen
        for (int number = 0; number < BROKERS; number++) {
            brokers.add(launch("broker" + number, BROKER_MEGABYTES, broker(number, firstPort)));
        }
        for (ChildServer broker : brokers) {
            broker.awaitReady();
        }
        return awaitLeader(brokers);
    }

    private ChildServer launch(String name, int megabytes, List<String> arguments) throws IOException {
        return ChildServer.launch(folder.resolve(name + ".err"), megabytes, arguments);
    }

    private static String free() {
        return "127.0.0.1:0";
    }

    private List<String> broker(int number, int firstPort) {
        List<String> members = new ArrayList<>();
        for (int member = 0; member < BROKERS; member++) {
            members.add(member + "=127.0.0.1:" + (firstPort + member));
        }
        return List.of(
                "broker",
                "--data",
                folder.resolve("broker" + number).toString(),
                "--listen",
                "127.0.0.1:" + (firstPort + number),
                "--nameservers",
                addresses(),
                "--replication",
                "raft",
                "--members",
                String.join(",", members),
                "--member",
                Integer.toString(number));
    }

    /** {@code host:port;host:port} of the name servers. */
    String addresses() {
        return nameServers.stream().map(ChildServer::address).collect(Collectors.joining(";"));
    }

    List<ChildServer> nameServers() {
        return List.copyOf(nameServers);
    }

    List<ChildServer> brokers() {
        return List.copyOf(brokers);
    }

    /** Kills a server of the cluster; it does not come back. */
    void kill(ChildServer server) throws InterruptedException {
        server.kill();
        brokers.remove(server);
        nameServers.remove(server);
    }

    /** Waits for the broker of those that leads. */
    ChildServer awaitLeader(Collection<ChildServer> among) throws InterruptedException {
        long deadline = clock.nanos() + TimeUnit.SECONDS.toNanos(LEADER_SECONDS);
        while (clock.nanos() - deadline < 0) {
            Optional<ChildServer> leader = leader(among);
            if (leader.isPresent()) {
                return leader.get();
            }
            new CountDownLatch(1).await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
        throw new DemoFailure("no broker came to lead within " + LEADER_SECONDS + " s");
    }

    private Optional<ChildServer> leader(Collection<ChildServer> among) {
        Map<String, GroupMemberStatus> answers = questions
                .askAll(among.stream().map(ChildServer::address).toList())
                .join();
        return among.stream()
                .filter(broker -> {
                    GroupMemberStatus status = answers.get(broker.address());
                    return status != null && status.role() == GroupMemberStatus.Role.LEADER;
                })
                .findFirst();
    }

    /** Leaves the servers running. */
    void leave() {
        connections.close();
        timer.close();
    }

    /** Stops all that still run. */
    void stop() throws InterruptedException {
        leave();
        brokers.forEach(ChildServer::stop);
        for (ChildServer broker : brokers) {
            broker.awaitEnd();
        }
        nameServers.forEach(ChildServer::stop);
        for (ChildServer nameServer : nameServers) {
            nameServer.awaitEnd();
        }
    }

    /** Servers ask nothing here. */
    private static final class NothingAsked implements RemotingHandler {
        @Override
        public void handle(Call call, CommandHeader header, ByteBuf body) {
            call.respond(ResponseCode.REQUEST_CODE_NOT_SUPPORTED, "nothing is asked on this connection");
        }
    }
}
