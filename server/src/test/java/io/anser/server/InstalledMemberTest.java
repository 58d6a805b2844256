package io.anser.server;

import static org.awaitility.Awaitility.await;

import io.anser.client.AnserClient;
import io.anser.client.AnserException;
import io.anser.client.Message;
import io.anser.client.SendReceipt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member that was away while retention removed what it lacks: it opens its store anew with what it is given. */
class InstalledMemberTest {
    private static final int BODY_BYTES = 100_000;

    @TempDir
    private Path data;

    @Test
    void aBrokerThatWasAwayForTooLongComesBackByItself() throws Exception {
        try (TestCluster cluster = new TestCluster(data, 3, List.of("store.retention-bytes=2097152"));
                AnserClient client = AnserClient.builder()
                        .nameServers(cluster.nameServer())
                        .sendTimeout(TestCluster.PATIENCE)
                        .maxSendAttempts(100)
                        .connect()) {
            int leader = cluster.leader();
            await().atMost(TestCluster.PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(() -> client.createTopic("orders", 1));
            int away = cluster.other(leader);
            cluster.stop(away);
            await().atMost(TestCluster.PATIENCE.multipliedBy(2)).until(() -> {
                send(client, 10);
                return firstSegment(leader) > 0 && firstSegment(3 - leader - away) > 0;
            });

            cluster.start(away);

            await().atMost(TestCluster.PATIENCE).until(() -> firstSegment(away) > 0);
            send(client, 5);
            await().atMost(TestCluster.PATIENCE)
                    .ignoreExceptions()
                    .until(() -> applied(cluster, away) >= applied(cluster, leader));
            cluster.stop(3 - leader - away);
            send(client, 5); // with what it was given, it is one of a majority
        }
    }

    private static long applied(TestCluster cluster, int member) {
        return cluster.process(member).engine().orElseThrow().appliedIndex();
    }

    private static void send(AnserClient client, int count) {
        for (int i = 0; i < count; i++) {
            await().atMost(TestCluster.PATIENCE).until(() -> isStored(client));
        }
    }

    private static boolean isStored(AnserClient client) {
        try {
            Message message = Message.to("orders").text("x".repeat(BODY_BYTES));
            return client.send(message).status() == SendReceipt.Status.STORED;
        } catch (AnserException e) {
            return false;
        }
    }

    private long firstSegment(int member) {
        try (Stream<Path> files = Files.list(data.resolve("broker" + member + "/log"))) {
            return files.map(file -> Long.parseLong(file.getFileName().toString()))
                    .min(Long::compare)
                    .orElse(0L);
        } catch (IOException e) {
            return 0;
        }
    }
}
