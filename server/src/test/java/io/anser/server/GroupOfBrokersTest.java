package io.anser.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.anser.client.AnserClient;
import io.anser.client.AnserException;
import io.anser.client.Message;
import io.anser.client.ReceivedMessage;
import io.anser.client.SendReceipt;
import io.anser.client.StartFrom;
import io.anser.raft.GroupEngine;
import io.anser.server.settings.Settings;
import io.anser.server.settings.SettingsLoader;
import io.anser.transport.secret.ClusterSecret;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A name server and three brokers of one replicated group, with our client, over real sockets. */
class GroupOfBrokersTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path data;

    private ServerProcess nameServer;
    private final Map<Integer, ServerProcess> brokers = new TreeMap<>();
    private final Map<Integer, Integer> ports = new TreeMap<>();
    private AnserClient client;

    @AfterEach
    void end() {
        if (client != null) {
            client.close();
        }
        brokers.values().forEach(ServerProcess::close);
        nameServer.close();
    }

    @Test
    void whatWasAcknowledgedIsDeliveredAfterTheLeadHasChanged() throws Exception {
        start();
        client = AnserClient.builder()
                .nameServers("127.0.0.1:" + nameServer.address().getPort())
                .sendTimeout(PATIENCE)
                .maxSendAttempts(100)
                .connect();
        int first = leader();
        await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> client.createTopic("orders", 4));
        Set<String> acknowledged = new HashSet<>(send("before", 300));

        brokers.remove(first).close();
        leader();
        acknowledged.addAll(send("after", 300));

        ConcurrentLinkedQueue<ReceivedMessage> received = new ConcurrentLinkedQueue<>();
        client.consumer("billing")
                .topic("orders")
                .from(StartFrom.START)
                .onMessage(received::add)
                .start();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                received.stream().map(ReceivedMessage::text).collect(Collectors.toSet()))
                        .containsAll(acknowledged));

        // The one that was away comes back empty-handed of what was sent meanwhile, and catches up.
        brokers.put(first, broker(first));
        long applied = brokers.get(leader()).engine().orElseThrow().appliedIndex();
        await().atMost(PATIENCE)
                .until(() -> brokers.get(first).engine().orElseThrow().appliedIndex() >= applied);
    }

    @Test
    void aLeaderThatLostItsMajorityTakesNothingAndGoesOnServingReaders() throws Exception {
        start();
        client = AnserClient.builder()
                .nameServers("127.0.0.1:" + nameServer.address().getPort())
                .sendTimeout(Duration.ofSeconds(5))
                .maxSendAttempts(1)
                .connect();
        int left = leader();
        await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> client.createTopic("orders", 4));
        List<String> acknowledged = send("before", 20);

        for (int number : List.copyOf(brokers.keySet())) {
            if (number != left) {
                brokers.remove(number).close();
            }
        }

        await().atMost(PATIENCE).until(() -> leading().isEmpty());
        assertThatThrownBy(() -> client.send(Message.to("orders").text("too late")))
                .isInstanceOf(AnserException.class)
                .hasMessageContaining("the group=broker-a has no leader");
        ConcurrentLinkedQueue<ReceivedMessage> received = new ConcurrentLinkedQueue<>();
        client.consumer("billing")
                .topic("orders")
                .from(StartFrom.START)
                .onMessage(received::add)
                .start();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                received.stream().map(ReceivedMessage::text).collect(Collectors.toSet()))
                        .isEqualTo(Set.copyOf(acknowledged)));
    }

    /** Sends one after another, again where it failed; returns the texts that were acknowledged. */
    private List<String> send(String name, int count) {
        List<String> acknowledged = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String text = name + "-" + i;
            if (!isStored(text)) {
                await().atMost(PATIENCE).until(() -> isStored(text));
            }
            acknowledged.add(text);
        }
        return acknowledged;
    }

    private boolean isStored(String text) {
        try {
            return client.send(Message.to("orders").text(text)).status() == SendReceipt.Status.STORED;
        } catch (AnserException e) {
            return false;
        }
    }

    private void start() throws IOException {
        ClusterSecret.make(data.resolve("secret"));
        nameServer = ServerProcess.start(
                Role.NAMESERVER, settings(List.of()), new ListenAddress("127.0.0.1", 0), data.resolve("names"));
        List<Integer> free = TestCluster.freePorts(3);
        for (int member = 0; member < 3; member++) {
            ports.put(member, free.get(member));
        }
        for (int member = 0; member < 3; member++) {
            brokers.put(member, broker(member));
        }
    }

    private ServerProcess broker(int member) {
        String members = ports.entrySet().stream()
                .map(entry -> entry.getKey() + "=127.0.0.1:" + entry.getValue())
                .collect(Collectors.joining(","));
        return ServerProcess.start(
                Role.BROKER,
                settings(List.of(
                        "broker.nameservers=127.0.0.1:" + nameServer.address().getPort(),
                        "store.segment-bytes=1048576",
                        "cluster.secret=" + data.resolve("secret"),
                        "replication.mode=raft",
                        "replication.members=" + members,
                        "replication.member=" + member)),
                new ListenAddress("127.0.0.1", ports.get(member)),
                data.resolve("broker" + member));
    }

    private static Settings settings(List<String> assignments) {
        return SettingsLoader.load(ServerProcess.catalog(), Optional.empty(), Map.of(), assignments);
    }

    private int leader() {
        await().atMost(PATIENCE).until(() -> leading().isPresent());
        return leading().orElseThrow();
    }

    private Optional<Integer> leading() {
        return brokers.entrySet().stream()
                .filter(entry ->
                        entry.getValue().engine().map(GroupEngine::leads).orElse(false))
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
