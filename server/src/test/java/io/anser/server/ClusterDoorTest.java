package io.anser.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.GetBrokerRuntimeInfo;
import io.anser.protocol.operation.GetClusterInfo;
import io.anser.server.settings.Settings;
import io.anser.server.settings.SettingsException;
import io.anser.server.settings.SettingsLoader;
import io.anser.system.Clock;
import io.anser.system.SecureChance;
import io.anser.system.VirtualTime;
import io.anser.transport.EventLoops;
import io.anser.transport.HandlerTable;
import io.anser.transport.RemotingClient;
import io.anser.transport.TransportSettings;
import io.anser.transport.secret.ClusterProof;
import io.anser.transport.secret.ClusterSecret;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who has to have the secret of the cluster, and what becomes of those who have not. */
class ClusterDoorTest {
    private static final ListenAddress LOOPBACK = new ListenAddress("127.0.0.1", 0);

    @TempDir
    private Path folder;

    private final Deque<ServerProcess> processes = new ArrayDeque<>();

    @AfterEach
    void end() {
        while (!processes.isEmpty()) {
            processes.pop().close();
        }
    }

    @Test
    void membersThatOtherMachinesReachNeedASecretOrAWord() {
        String far = "replication.members=0=10.1.1.1:7000,1=10.1.1.2:7000,2=10.1.1.3:7000";
        String near = "replication.members=0=127.0.0.1:7000,1=127.0.0.1:7001,2=[::1]:7002";

        assertThatThrownBy(() -> door(LOOPBACK, "replication.mode=raft", far))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("anser cluster secret FILE")
                .hasMessageContaining("--set cluster.secret=FILE")
                .hasMessageContaining("--insecure");
        assertThatThrownBy(() -> door(new ListenAddress("0.0.0.0", 0), "replication.mode=raft", near))
                .hasMessageContaining("--insecure");
        assertThatCode(() -> door(LOOPBACK, "replication.mode=raft", near)).doesNotThrowAnyException();
        assertThatCode(() -> door(LOOPBACK, "replication.mode=raft", far, "cluster.insecure=true"))
                .doesNotThrowAnyException();
        assertThatCode(() -> door(new ListenAddress("0.0.0.0", 0))).doesNotThrowAnyException();
    }

    @Test
    void aSecretThatOthersCanReadStopsTheStart() throws IOException {
        Path file = secret("one");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        assertThatThrownBy(() -> broker("broker-a", nameServer(), "cluster.secret=" + file))
                .isInstanceOf(StartException.class)
                .hasMessageContaining(file + " has the mode rw-r--r--");
    }

    @Test
    void aNameServerWithASecretKnowsOnlyBrokersThatHaveIt() throws Exception {
        Path one = secret("one");
        ServerProcess nameServer = nameServer("cluster.secret=" + one);
        broker("broker-a", nameServer, "cluster.secret=" + one);
        broker("broker-b", nameServer, "cluster.secret=" + secret("two"));
        broker("broker-c", nameServer);

        assertThat(brokers(nameServer)).contains("broker-a").doesNotContain("broker-b", "broker-c");
    }

    @Test
    void aNameServerWithoutASecretKnowsAllBrokers() throws Exception {
        ServerProcess nameServer = nameServer();
        broker("broker-a", nameServer, "cluster.secret=" + secret("one"));
        broker("broker-b", nameServer);

        assertThat(brokers(nameServer)).contains("broker-a", "broker-b");
    }

    @Test
    void aProcessWithBothRolesRegistersWithItself() throws Exception {
        ServerProcess server = started(ServerProcess.start(
                Role.SERVER, settings("cluster.secret=" + secret("one")), LOOPBACK, folder.resolve("server")));

        assertThat(brokers(server)).contains("broker-a");
    }

    @Test
    void aPrimaryBelievesOnlyThoseWhoMeantToReachIt() throws Exception {
        Path one = secret("one");
        ServerProcess primary = started(ServerProcess.start(
                Role.BROKER,
                settings("cluster.secret=" + one, "replication.mode=primary", "store.segment-bytes=1048576"),
                new ListenAddress("0.0.0.0", 0),
                folder.resolve("primary")));
        int port = primary.address().getPort();

        assertThat(asMember(one, "127.0.0.1:" + port)).isEqualTo("answered");
        // The same process, as somebody in between would reach it who hands on what was meant for another one.
        assertThat(asMember(one, "127.0.0.2:" + port))
                .contains("the sender wanted to reach another process than this one");
    }

    private static String asMember(Path secret, String hostPort) throws Exception {
        VirtualTime time = new VirtualTime();
        ClusterProof proof = new ClusterProof(ClusterSecret.read(secret), "a member", SecureChance::bytes, time);
        try (EventLoops loops = EventLoops.start(TransportSettings.defaults(), time);
                RemotingClient client = new RemotingClient(
                        loops,
                        TransportSettings.defaults(),
                        time,
                        time,
                        new HandlerTable(Runnable::run),
                        proof.toMembers())) {
            client.call(hostPort, GetBrokerRuntimeInfo.CODE, FieldSource.NONE, Unpooled.EMPTY_BUFFER, 30_000)
                    .get(30, TimeUnit.SECONDS);
            return "answered";
        } catch (ExecutionException e) {
            return String.valueOf(e.getCause().getMessage());
        }
    }

    @Test
    void aReplicaWithoutAPrimaryIsToldWhatIsMissing() {
        assertThatThrownBy(() -> broker("broker-a", nameServer(), "replication.mode=replica"))
                .isInstanceOf(SettingsException.class)
                .hasMessage("a replica needs the address of its primary: --primary HOST:PORT");
    }

    private Path secret(String name) {
        Path file = folder.resolve(name);
        ClusterSecret.make(file);
        return file;
    }

    private void door(ListenAddress listen, String... assignments) {
        ClusterDoor.of(Role.BROKER, settings(assignments), listen, Clock.system());
    }

    private ServerProcess nameServer(String... assignments) {
        return started(ServerProcess.start(Role.NAMESERVER, settings(assignments), LOOPBACK, folder.resolve("names")));
    }

    private void broker(String name, ServerProcess nameServer, String... assignments) {
        List<String> all = new ArrayList<>(List.of(assignments));
        all.add("broker.name=" + name);
        all.add("broker.nameservers=127.0.0.1:" + nameServer.address().getPort());
        all.add("store.segment-bytes=1048576");
        started(ServerProcess.start(Role.BROKER, settings(all.toArray(String[]::new)), LOOPBACK, folder.resolve(name)));
    }

    private ServerProcess started(ServerProcess process) {
        processes.push(process);
        return process;
    }

    private static Settings settings(String... assignments) {
        return SettingsLoader.load(ServerProcess.catalog(), Optional.empty(), Map.of(), List.of(assignments));
    }

    private static String brokers(ServerProcess nameServer) throws Exception {
        VirtualTime time = new VirtualTime();
        try (RemotingClient client =
                new RemotingClient(TransportSettings.defaults(), time, time, new HandlerTable(Runnable::run))) {
            return new String(
                    client.call(
                                    "127.0.0.1:" + nameServer.address().getPort(),
                                    GetClusterInfo.CODE,
                                    FieldSource.NONE,
                                    Unpooled.EMPTY_BUFFER,
                                    30_000)
                            .get(30, TimeUnit.SECONDS)
                            .body(),
                    StandardCharsets.UTF_8);
        }
    }
}
