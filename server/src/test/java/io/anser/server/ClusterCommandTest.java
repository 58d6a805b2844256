package io.anser.server;

import static io.anser.server.TestCluster.PATIENCE;
import static io.anser.server.TestCluster.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.protocol.json.JsonReader;
import io.anser.server.TestCluster.Printed;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands on a running cluster, on one that runs. */
class ClusterCommandTest {
    @TempDir
    private Path data;

    private TestCluster cluster;

    @AfterEach
    void end() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void statusShowsEveryMemberAndSaysHowTheGroupIs() throws Exception {
        cluster = new TestCluster(data, 3);
        int leader = cluster.leader();
        awaitHealth("healthy");

        Printed status = run("cluster", "status", "-s", cluster.nameServer());
        Printed json = run("cluster", "status", "-s", cluster.address(leader), "-o", "json");

        assertThat(status.err()).isEmpty();
        assertThat(status.out()).startsWith("GROUP").contains("broker-a: healthy, 1 of 3 members may fail");
        assertThat(status.out().lines().filter(line -> line.contains("leader")))
                .singleElement()
                .asString()
                .contains(cluster.address(leader));
        JsonReader reader = new JsonReader(json.out().strip().getBytes(StandardCharsets.UTF_8));
        reader.skip();
        reader.end();
        assertThat(json.out())
                .startsWith("{\"groups\":[{\"group\":\"broker-a\",\"health\":\"healthy\"")
                .contains("\"leader\":\"" + cluster.address(leader) + "\"", "\"bytesBehind\":0");
    }

    @Test
    void aBrokerWithoutAGroupDoesNotCount() throws Exception {
        cluster = new TestCluster(data, 3);
        cluster.leader();
        awaitHealth("healthy");
        List<String> settings = List.of(
                "broker.name=broker-z", "broker.nameservers=" + cluster.nameServer(), "store.segment-bytes=1048576");
        try (ServerProcess alone = ServerProcess.start(
                Role.BROKER,
                TestCluster.settings(settings),
                new ListenAddress("127.0.0.1", 0),
                data.resolve("alone"))) {
            assertThat(alone.engine()).isEmpty();
            awaitHealth("healthy");

            assertThat(run("cluster", "status", "-s", cluster.nameServer()).out())
                    .contains("broker-a: healthy")
                    .doesNotContain("broker-z");
        }
    }

    @Test
    void aMemberThatIsAwayIsSeenAndTheLeadMoves() throws Exception {
        cluster = new TestCluster(data, 3);
        int leader = cluster.leader();
        awaitHealth("healthy");
        int away = cluster.other(leader);
        cluster.stop(away);

        Printed health = run("cluster", "health", "-s", cluster.nameServer());
        assertThat(health.exitCode()).isEqualTo(7);
        assertThat(health.out()).contains(cluster.address(away) + " does not answer; no other member may fail");
        Printed refused = run("cluster", "leader", "move", cluster.address(away), "-s", cluster.address(leader));
        assertThat(refused.exitCode()).isEqualTo(4);
        assertThat(refused.err())
                .isEqualTo("anser: " + cluster.address(away) + " does not answer" + System.lineSeparator());

        Printed moved = run("cluster", "leader", "move", "-s", cluster.address(leader));

        assertThat(moved.exitCode()).as(moved.err()).isZero();
        int next = cluster.leader();
        assertThat(next).isNotEqualTo(leader);
        assertThat(moved.out()).isEqualTo(cluster.address(next) + " leads the group=broker-a" + System.lineSeparator());
    }

    @Test
    void membersComeAndGoByCommands() throws Exception {
        cluster = new TestCluster(data, 3);
        int leader = cluster.leader();
        awaitHealth("healthy");
        int fourth = cluster.startOneMore();
        String newcomer = cluster.address(fourth);

        await().atMost(PATIENCE)
                .until(() -> run("cluster", "add-learner", newcomer, "-s", cluster.nameServer())
                                .exitCode()
                        == 0);
        assertThat(run("cluster", "status", "-s", cluster.address(leader)).out())
                .contains("learner");
        Printed added = run("cluster", "add-member", newcomer, "-s", cluster.nameServer());
        assertThat(added.exitCode()).as(added.err()).isZero();
        awaitHealth("healthy");
        Printed removed = run("cluster", "remove-member", newcomer, "-s", cluster.nameServer());
        assertThat(removed.exitCode()).as(removed.err()).isZero();
        assertThat(removed.out()).doesNotContain(newcomer);
        Printed refused = run("cluster", "remove-member", cluster.address(leader), "-s", cluster.nameServer());
        assertThat(refused.exitCode()).isEqualTo(4);
        assertThat(refused.err()).contains("leads the group=broker-a; move the lead to another member first");
    }

    @Test
    void aDrainedProcessIsToldToEnd() throws Exception {
        cluster = new TestCluster(data, 3);
        int leader = cluster.leader();
        awaitHealth("healthy");
        AtomicBoolean ended = new AtomicBoolean();
        cluster.process(leader).onDrained(() -> ended.set(true));

        Printed drained = run("cluster", "drain", "-s", cluster.address(leader), "--forward", "0");

        assertThat(drained.exitCode()).as(drained.err()).isZero();
        assertThat(cluster.leader()).isNotEqualTo(leader);
        await().atMost(PATIENCE).untilTrue(ended);
    }

    @Test
    void aRecoveryIsRefusedWhereMembersVote() throws Exception {
        cluster = new TestCluster(data, 3);
        cluster.leader();
        awaitHealth("healthy");

        Printed refused = run("cluster", "recover", "--yes", "-s", cluster.nameServer());

        assertThat(refused.exitCode()).isEqualTo(4);
        assertThat(refused.err()).contains("has lost nothing and votes");
    }

    @Test
    void whoDoesNotProveTheSecretChangesNothing() throws Exception {
        Path secret = data.resolve("secret");
        assertThat(run("cluster", "secret", secret.toString()).exitCode()).isZero();
        cluster = new TestCluster(data, 3, List.of("cluster.secret=" + secret));
        int leader = cluster.leader();
        awaitHealth("healthy");

        Printed refused = run("cluster", "leader", "move", "-s", cluster.nameServer());
        assertThat(refused.exitCode()).isEqualTo(4);
        assertThat(cluster.leader()).isEqualTo(leader);

        Printed moved = run("cluster", "leader", "move", "-s", cluster.nameServer(), "--secret", secret.toString());
        assertThat(moved.exitCode()).as(moved.err()).isZero();
        assertThat(cluster.leader()).isNotEqualTo(leader);
    }

    @Test
    void whoDoesNotAnswerIsNamed() throws Exception {
        String nobody = "127.0.0.1:" + TestCluster.freePorts(1).get(0);

        Printed status = run("cluster", "status", "-s", nobody);

        assertThat(status.exitCode()).isEqualTo(5);
        assertThat(status.err()).startsWith("anser: ").contains(nobody);
    }

    private void awaitHealth(String expected) {
        await().atMost(PATIENCE)
                .until(() -> run("cluster", "health", "-s", cluster.nameServer())
                        .out()
                        .strip()
                        .equals(expected));
    }
}
