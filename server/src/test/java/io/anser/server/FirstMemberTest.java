package io.anser.server;

import static io.anser.server.TestCluster.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.client.AnserClient;
import io.anser.client.Message;
import io.anser.client.ReceivedMessage;
import io.anser.client.StartFrom;
import io.anser.protocol.body.GroupMemberStatus;
import io.anser.raft.GroupEngine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker of its own becomes the first member of a group. */
class FirstMemberTest {
    @TempDir
    private Path data;

    private ServerProcess nameServer;
    private final Map<Integer, ServerProcess> brokers = new TreeMap<>();
    private List<Integer> ports = List.of();
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
    void theStoreOfABrokerOfItsOwnBeginsAGroup() throws Exception {
        ports = TestCluster.freePorts(3);
        nameServer = ServerProcess.start(
                Role.NAMESERVER,
                TestCluster.settings(List.of()),
                new ListenAddress("127.0.0.1", 0),
                data.resolve("names"));
        start(0, List.of());
        client = AnserClient.builder()
                .nameServers(nameServer())
                .sendTimeout(PATIENCE)
                .maxSendAttempts(100)
                .connect();
        client.createTopic("orders", 2);
        List<String> sent = new ArrayList<>(send("alone", 100));
        brokers.remove(0).close();

        member(0);
        await().atMost(PATIENCE).until(() -> leads(0));
        sent.addAll(send("first member", 100));
        brokers.remove(0).close();
        member(0);
        await().atMost(PATIENCE).until(() -> leads(0));

        member(1);
        member(2);
        await().atMost(PATIENCE).until(() -> voters().size() == 3 && isUpToDate(1) && isUpToDate(2));
        sent.addAll(send("three members", 100));
        brokers.remove(0).close();
        await().atMost(PATIENCE).until(() -> leads(1) || leads(2));

        sent.addAll(send("without the first", 100));
        assertThat(received(sent.size())).containsExactlyInAnyOrderElementsOf(sent);
    }

    private List<String> voters() {
        return brokers.get(0).engine().orElseThrow().status().voters();
    }

    private boolean isUpToDate(int member) {
        return brokers.get(member)
                .engine()
                .map(GroupEngine::status)
                .filter(status -> !status.joining() && status.role() == GroupMemberStatus.Role.FOLLOWER)
                .isPresent();
    }

    private boolean leads(int member) {
        return brokers.get(member).engine().map(GroupEngine::leads).orElse(false);
    }

    private List<String> send(String name, int count) {
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            client.send(Message.to("orders").text(name + " " + i));
            sent.add(name + " " + i);
        }
        return sent;
    }

    private Set<String> received(int expected) {
        ConcurrentLinkedQueue<ReceivedMessage> received = new ConcurrentLinkedQueue<>();
        client.consumer("billing")
                .topic("orders")
                .from(StartFrom.START)
                .onMessage(received::add)
                .start();
        await().atMost(PATIENCE)
                .until(() ->
                        received.stream().map(ReceivedMessage::text).distinct().count() >= expected);
        return received.stream().map(ReceivedMessage::text).collect(Collectors.toSet());
    }

    private void member(int member) {
        String members = IntStream.range(0, ports.size())
                .mapToObj(number -> number + "=127.0.0.1:" + ports.get(number))
                .collect(Collectors.joining(","));
        start(
                member,
                List.of("replication.mode=raft", "replication.members=" + members, "replication.member=" + member));
    }

    private void start(int member, List<String> settings) {
        List<String> assignments = new ArrayList<>(settings);
        assignments.add("broker.nameservers=" + nameServer());
        assignments.add("store.segment-bytes=1048576");
        brokers.put(
                member,
                ServerProcess.start(
                        Role.BROKER,
                        TestCluster.settings(assignments),
                        new ListenAddress("127.0.0.1", ports.get(member)),
                        data.resolve("broker" + member)));
    }

    private String nameServer() {
        return "127.0.0.1:" + nameServer.address().getPort();
    }
}
