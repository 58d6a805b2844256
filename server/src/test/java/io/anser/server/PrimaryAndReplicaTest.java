package io.anser.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.anser.client.AnserClient;
import io.anser.client.AnserException;
import io.anser.client.Message;
import io.anser.client.SendReceipt;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.GetBrokerRuntimeInfo;
import io.anser.protocol.operation.GetClusterInfo;
import io.anser.server.settings.Settings;
import io.anser.server.settings.SettingsLoader;
import io.anser.system.FreePorts;
import io.anser.system.VirtualTime;
import io.anser.transport.HandlerTable;
import io.anser.transport.RemotingClient;
import io.anser.transport.TransportSettings;
import io.anser.transport.secret.ClusterSecret;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A name server, a primary and its replica, with our client, over real sockets. */
class PrimaryAndReplicaTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TOPIC = "orders";

    /** Longer than a pause of a busy machine, which is not to count as a replica that is away. */
    private static final String REPLICA_TIMEOUT = "replication.replica-timeout=2000";

    @TempDir
    private Path data;

    private final VirtualTime time = new VirtualTime();
    private ServerProcess nameServer;
    private ServerProcess primary;
    private ServerProcess replica;
    private AnserClient client;
    private RemotingClient asking;
    private int primaryPort;
    private int replicaPort;

    @BeforeEach
    void start() throws IOException {
        ClusterSecret.make(data.resolve("secret"));
        nameServer = ServerProcess.start(
                Role.NAMESERVER, settings(List.of()), new ListenAddress("127.0.0.1", 0), data.resolve("names"));
        primaryPort = FreePorts.row(2);
        replicaPort = primaryPort + 1;
        asking = new RemotingClient(TransportSettings.defaults(), time, time, new HandlerTable(Runnable::run));
    }

    @AfterEach
    void end() {
        if (client != null) {
            client.close();
        }
        asking.close();
        for (ServerProcess process : new ServerProcess[] {replica, primary, nameServer}) {
            if (process != null) {
                process.close();
            }
        }
    }

    @Test
    void aReplicaHasTheLogOfItsPrimaryByteForByteAndGoesOnAfterEitherWasAway() throws Exception {
        primary = primary();
        replica = replica();
        connect();
        send("first", 200);
        awaitCopied();
        assertThat(log("replica")).isEqualTo(log("primary"));

        replica.close();
        send("second", 200);
        replica = replica();
        awaitCopied();

        primary.close();
        assertThat(committed(replicaPort)).isPositive();
        primary = primary();
        send("third", 200);
        awaitCopied();

        primary.close();
        replica.close();
        assertThat(log("replica")).isEqualTo(log("primary"));
        primary = null;
        replica = null;
    }

    @Test
    void aReplicaIsReadOnlyAndRegistersWithItsNumber() throws Exception {
        primary = primary();
        replica = replica("replication.broker-id=3");
        connect();
        send("first", 10);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(call(nameServer.address().getPort(), GetClusterInfo.CODE))
                        .contains("0:\"127.0.0.1:" + primaryPort, "3:\"127.0.0.1:" + replicaPort));
    }

    @Test
    void aPrimaryInSyncModeAcknowledgesNothingWithoutItsReplica() throws Exception {
        primary = primary("replication.acknowledge=sync", REPLICA_TIMEOUT);
        replica = replica();
        connect();
        send("first", 50);
        awaitCopied();

        replica.close();
        replica = null;
        assertThatThrownBy(() -> client.send(Message.to(TOPIC).text("alone"))).isInstanceOf(AnserException.class);
        await().atMost(PATIENCE)
                .until(() -> figure(primaryPort, "replicationState").equals("refusing"));
        long before = committed(primaryPort);
        assertThatThrownBy(() -> client.send(Message.to(TOPIC).text("alone")))
                .hasMessageContaining("this primary waits for replicas=1 and has too few");
        assertThat(committed(primaryPort)).isEqualTo(before);

        replica = replica();
        await().atMost(PATIENCE)
                .until(() -> figure(primaryPort, "replicationState").equals("sync"));
        send("back", 50);
        assertThat(figure(primaryPort, "replicationDegradedAcks")).isEqualTo("0");
    }

    @Test
    void aPrimaryThatMayDegradeCountsWhatItAcknowledgedAlone() throws Exception {
        primary = primary("replication.acknowledge=sync", REPLICA_TIMEOUT, "replication.without-replicas=degrade");
        connect();
        await().atMost(PATIENCE)
                .until(() -> figure(primaryPort, "replicationState").equals("degraded"));
        send("alone", 20);
        assertThat(Long.parseLong(figure(primaryPort, "replicationDegradedAcks")))
                .isGreaterThanOrEqualTo(20);

        replica = replica();
        await().atMost(PATIENCE)
                .until(() -> figure(primaryPort, "replicationState").equals("sync"));
        awaitCopied();
        String counted = figure(primaryPort, "replicationDegradedAcks");
        send("together", 20);
        assertThat(figure(primaryPort, "replicationDegradedAcks")).isEqualTo(counted);
    }

    @Test
    void aReplicaOfAnotherLogStopsAndKeepsWhatItHas() throws Exception {
        primary = primary();
        replica = replica();
        connect();
        send("first", 50);
        awaitCopied();
        replica.close();
        // What an operator does by mistake: the replica takes messages, and is a replica again.
        ServerProcess alone = ServerProcess.start(
                Role.BROKER, settings(List.of()), new ListenAddress("127.0.0.1", 0), data.resolve("replica"));
        alone.close();
        byte[] before = log("replica");
        send("second", 50);

        replica = replica();
        await().atMost(PATIENCE)
                .until(() -> figure(replicaPort, "replicationState").equals("stopped"));
        assertThat(log("replica")).isEqualTo(before);
        await().atMost(PATIENCE)
                .until(() -> !call(nameServer.address().getPort(), GetClusterInfo.CODE)
                        .contains("127.0.0.1:" + replicaPort));
    }

    private void connect() {
        client = AnserClient.builder()
                .nameServers("127.0.0.1:" + nameServer.address().getPort())
                .sendTimeout(Duration.ofSeconds(3))
                .connect();
        await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> client.createTopic(TOPIC, 4));
    }

    private void send(String name, int count) {
        for (int i = 0; i < count; i++) {
            String text = name + "-" + i;
            if (isStored(text)) {
                continue;
            }
            await().atMost(PATIENCE).until(() -> isStored(text));
        }
    }

    private boolean isStored(String text) {
        try {
            return client.send(Message.to(TOPIC).text(text)).status() == SendReceipt.Status.STORED;
        } catch (AnserException e) {
            return false;
        }
    }

    private ServerProcess primary(String... more) {
        return broker("primary", primaryPort, "replication.mode=primary", more);
    }

    private ServerProcess replica(String... more) {
        List<String> all = new ArrayList<>(List.of(more));
        all.add("replication.primary=127.0.0.1:" + primaryPort);
        return broker("replica", replicaPort, "replication.mode=replica", all.toArray(String[]::new));
    }

    private ServerProcess broker(String folder, int port, String mode, String... more) {
        List<String> all = new ArrayList<>(List.of(more));
        all.add(mode);
        all.add("cluster.secret=" + data.resolve("secret"));
        all.add("broker.nameservers=127.0.0.1:" + nameServer.address().getPort());
        if (folder.equals("primary")) {
            all.add("store.segment-bytes=1048576");
        }
        return ServerProcess.start(
                Role.BROKER, settings(all), new ListenAddress("127.0.0.1", port), data.resolve(folder));
    }

    private static Settings settings(List<String> assignments) {
        return SettingsLoader.load(ServerProcess.catalog(), Optional.empty(), Map.of(), assignments);
    }

    private void awaitCopied() {
        await().atMost(PATIENCE).until(() -> committed(replicaPort) == committed(primaryPort));
    }

    private long committed(int port) throws Exception {
        return Long.parseLong(figure(port, "commitLogMaxOffset"));
    }

    private String figure(int port, String name) throws Exception {
        Matcher found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(call(port, GetBrokerRuntimeInfo.CODE));
        return found.find() ? found.group(1) : "";
    }

    private String call(int port, int code) throws Exception {
        var reply = asking.call("127.0.0.1:" + port, code, FieldSource.NONE, Unpooled.EMPTY_BUFFER, 30_000)
                .get(30, TimeUnit.SECONDS);
        assertThat(reply.code()).isEqualTo(ResponseCode.SUCCESS);
        return new String(reply.body(), StandardCharsets.UTF_8);
    }

    /** The first segment up to the last byte that is not zero. */
    private byte[] log(String folder) throws IOException {
        byte[] bytes;
        try (Stream<Path> segments = Files.list(data.resolve(folder).resolve("log"))) {
            bytes = Files.readAllBytes(segments.sorted().findFirst().orElseThrow());
        }
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        return Arrays.copyOf(bytes, end);
    }
}
