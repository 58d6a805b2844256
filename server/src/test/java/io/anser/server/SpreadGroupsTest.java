package io.anser.server;

import static io.anser.server.TestCluster.PATIENCE;
import static io.anser.server.TestCluster.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.anser.client.AnserClient;
import io.anser.client.Message;
import io.anser.client.SendReceipt;
import io.anser.raft.GroupEngine;
import io.anser.server.TestCluster.Printed;
import io.anser.server.settings.SettingsException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three processes, each a name server and a member of three groups. */
class SpreadGroupsTest {
    private static final int PROCESSES = 3;

    @TempDir
    private Path data;

    private final Map<Integer, ServerProcess> processes = new TreeMap<>();
    private List<Integer> ports = List.of();
    private AnserClient client;

    @AfterEach
    void end() {
        if (client != null) {
            client.close();
        }
        processes.values().forEach(ServerProcess::close);
    }

    @Test
    void leadsAreSpreadAndMessagesTooAndAProcessMayGo() throws Exception {
        ports = TestCluster.freePorts(PROCESSES + PROCESSES * PROCESSES);
        for (int process = 0; process < PROCESSES; process++) {
            start(process);
        }
        await().atMost(PATIENCE).until(() -> leads(0).equals(List.of("broker-a")));
        await().atMost(PATIENCE).until(() -> leads(1).equals(List.of("broker-b")));
        await().atMost(PATIENCE).until(() -> leads(2).equals(List.of("broker-c")));
        client = AnserClient.builder()
                .nameServers(
                        IntStream.range(0, PROCESSES).mapToObj(this::nameServer).collect(Collectors.joining(";")))
                .sendTimeout(PATIENCE)
                .maxSendAttempts(100)
                .connect();
        await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> client.createTopic("orders", 4));

        Map<String, Integer> byBroker = send(3_000);

        assertThat(byBroker).containsOnlyKeys("broker-a", "broker-b", "broker-c");
        // What is sent again goes to another broker than its turn, so not exactly a third each.
        assertThat(byBroker.values()).allSatisfy(count -> assertThat(count).isBetween(800, 1_200));
        Printed health = run("cluster", "health", "-s", nameServer(1), "--groups", "3", "--wait", "30");
        assertThat(health.exitCode()).as(health.out()).isZero();

        // Whoever is left leads what the process led that goes.
        Printed drained = run("cluster", "drain", "-s", address(0, 0), "--forward", "0");
        assertThat(drained.exitCode()).as(drained.err()).isZero();
        assertThat(leads(0)).isEmpty();
        processes.remove(0).close();
        await().atMost(PATIENCE).until(() -> send(30).size() == PROCESSES);

        // When it is back it gets its lead back.
        start(0);
        await().atMost(PATIENCE).until(() -> leads(0).equals(List.of("broker-a")));
    }

    @Test
    void groupsThatDoNotFitAreRefused() {
        assertThatThrownBy(() -> process(0, "broker-a 0=127.0.0.1:1;broker-a 0=127.0.0.1:2"))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("group=broker-a twice");
        assertThatThrownBy(() -> process(0, "broker-a 0=127.0.0.1:1;broker-b 0=127.0.0.1:1"))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("address=127.0.0.1:1 twice");
        assertThatThrownBy(() -> process(0, "../broker 0=127.0.0.1:1"))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("is not NAME 0=host:port");
    }

    private Map<String, Integer> send(int count) {
        Map<String, Integer> byBroker = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            SendReceipt receipt = client.send(Message.to("orders").text("message " + i));
            byBroker.merge(receipt.brokerName(), 1, Integer::sum);
        }
        return byBroker;
    }

    /** Names of the groups that a process leads. */
    private List<String> leads(int process) {
        List<String> led = new ArrayList<>();
        List<ServerProcess> groups = processes.get(process).groups();
        for (int group = 0; group < groups.size(); group++) {
            Optional<GroupEngine> engine = groups.get(group).engine();
            if (engine.map(GroupEngine::leads).orElse(false)) {
                led.add(name(group));
            }
        }
        return led;
    }

    private void start(int process) throws IOException {
        String groups = IntStream.range(0, PROCESSES)
                .mapToObj(group -> name(group) + " "
                        + IntStream.range(0, PROCESSES)
                                .mapToObj(member -> member + "=" + address(member, group))
                                .collect(Collectors.joining(" ")))
                .collect(Collectors.joining(";"));
        processes.put(process, process(process, groups));
    }

    private ServerProcess process(int process, String groups) {
        List<String> assignments = new ArrayList<>(List.of(
                "store.segment-bytes=1048576",
                "store.durability=memory",
                "replication.mode=raft",
                "replication.groups=" + groups,
                "replication.member=" + process));
        if (!ports.isEmpty()) {
            assignments.add("broker.nameservers="
                    + IntStream.range(0, PROCESSES).mapToObj(this::nameServer).collect(Collectors.joining(";")));
        }
        return ServerProcess.start(
                Role.SERVER,
                TestCluster.settings(assignments),
                new ListenAddress("127.0.0.1", ports.isEmpty() ? 0 : ports.get(process)),
                data.resolve("process" + process));
    }

    private static String name(int group) {
        return "broker-" + (char) ('a' + group);
    }

    private String nameServer(int process) {
        return "127.0.0.1:" + ports.get(process);
    }

    private String address(int process, int group) {
        return "127.0.0.1:" + ports.get(PROCESSES + process * PROCESSES + group);
    }
}
