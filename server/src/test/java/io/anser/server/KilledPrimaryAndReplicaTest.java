package io.anser.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.client.AnserClient;
import io.anser.client.AnserException;
import io.anser.client.Message;
import io.anser.client.ReceivedMessage;
import io.anser.client.SendReceipt;
import io.anser.client.StartFrom;
import io.anser.server.settings.SettingsLoader;
import io.anser.system.FreePorts;
import io.anser.transport.secret.ClusterSecret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A primary in sync mode and its replica as processes of their own, killed with -9 in turn while somebody sends. */
class KilledPrimaryAndReplicaTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int KILLS = 6;
    private static final String TOPIC = "orders";

    @TempDir
    private Path data;

    private final Map<String, Process> processes = new TreeMap<>();
    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean sending = new AtomicBoolean(true);
    private ServerProcess nameServer;
    private AnserClient client;
    private int primaryPort;
    private int replicaPort;

    @BeforeEach
    void start() throws IOException {
        ClusterSecret.make(data.resolve("secret"));
        nameServer = ServerProcess.start(
                Role.NAMESERVER,
                SettingsLoader.load(ServerProcess.catalog(), Optional.empty(), Map.of(), List.of()),
                new ListenAddress("127.0.0.1", 0),
                data.resolve("names"));
        primaryPort = FreePorts.row(2);
        replicaPort = primaryPort + 1;
        client = AnserClient.builder()
                .nameServers("127.0.0.1:" + nameServer.address().getPort())
                .sendTimeout(Duration.ofSeconds(3))
                .connect();
    }

    @AfterEach
    void end() {
        sending.set(false);
        client.close();
        processes.values().forEach(Process::destroyForcibly);
        nameServer.close();
    }

    @Test
    void whatWasAcknowledgedIsInTheReplicaThatTakesOverAtLast() throws Exception {
        startPrimary();
        startReplica();
        await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> client.createTopic(TOPIC, 4));
        CompletableFuture<Void> sender = CompletableFuture.runAsync(this::send);
        Random random = new Random(7);
        for (int kill = 0; kill < KILLS; kill++) {
            int until = acknowledged.size() + 20 + random.nextInt(100);
            await().atMost(PATIENCE).until(() -> acknowledged.size() >= until);
            if (kill % 2 == 0) {
                kill("primary");
                startPrimary();
            } else {
                kill("replica");
                startReplica();
            }
        }
        int last = acknowledged.size() + 50;
        await().atMost(PATIENCE).until(() -> acknowledged.size() >= last);
        kill("primary");
        sending.set(false);
        sender.get(90, TimeUnit.SECONDS);
        kill("replica");

        start("promoted", replicaPort, "replica", "--replication", "primary");
        Queue<ReceivedMessage> received = new ConcurrentLinkedQueue<>();
        client.consumer("billing")
                .topic(TOPIC)
                .from(StartFrom.START)
                .onMessage(received::add)
                .start();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                received.stream().map(ReceivedMessage::text).collect(Collectors.toSet()))
                        .containsAll(acknowledged));
    }

    private void send() {
        for (int i = 0; sending.get(); i++) {
            String text = "message " + i;
            try {
                if (client.send(Message.to(TOPIC).text(text)).status() == SendReceipt.Status.STORED) {
                    acknowledged.add(text);
                }
            } catch (AnserException e) {
                assertThat(e.getMessage()).isNotBlank(); // not acknowledged
            }
        }
    }

    private void startPrimary() throws IOException {
        start(
                "primary",
                primaryPort,
                "primary",
                "--replication",
                "primary",
                "--mode",
                "sync",
                "--set",
                "store.segment-bytes=1048576");
    }

    private void startReplica() throws IOException {
        start(
                "replica",
                replicaPort,
                "replica",
                "--replication",
                "replica",
                "--primary",
                "127.0.0.1:" + primaryPort,
                "--broker-id",
                "1");
    }

    private void start(String name, int port, String folder, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "broker",
                "--listen",
                "127.0.0.1:" + port,
                "--data",
                data.resolve(folder).toString(),
                "--nameservers",
                "127.0.0.1:" + nameServer.address().getPort(),
                "--set",
                "cluster.secret=" + data.resolve("secret")));
        command.addAll(List.of(more));
        Path output = Files.createTempFile(data, name, ".out");
        processes.put(
                name,
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start());
    }

    private void kill(String name) throws InterruptedException {
        Process process = processes.get(name);
        process.destroyForcibly();
        process.waitFor();
    }
}
