package io.anser.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.GetBrokerConfig;
import io.anser.system.VirtualTime;
import io.anser.transport.HandlerTable;
import io.anser.transport.RemotingClient;
import io.anser.transport.TransportSettings;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Apache's tools are told of a member of a group among its settings. */
class MemberFactsTest {
    @TempDir
    private Path data;

    @Test
    void onlyWhoLeadsIsAMaster() throws Exception {
        VirtualTime time = new VirtualTime();
        try (TestCluster cluster = new TestCluster(data, 3);
                RemotingClient client =
                        new RemotingClient(TransportSettings.defaults(), time, time, new HandlerTable(Runnable::run))) {
            await().atMost(TestCluster.PATIENCE).untilAsserted(() -> {
                int leader = cluster.leader();
                int follower = cluster.other(leader);
                assertThat(facts(client, cluster.address(leader))).contains("brokerId=0", "brokerRole=SYNC_MASTER");
                assertThat(facts(client, cluster.address(follower)))
                        .contains("brokerId=" + (follower + 1), "brokerRole=SLAVE");
            });
        }
    }

    private static List<String> facts(RemotingClient client, String hostPort) throws Exception {
        byte[] body = client.call(hostPort, GetBrokerConfig.CODE, FieldSource.NONE, Unpooled.EMPTY_BUFFER, 30_000)
                .get(30, TimeUnit.SECONDS)
                .body();
        return new String(body, StandardCharsets.UTF_8).lines().toList();
    }
}
