package io.anser.server.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterPlanTest {
    private static final List<String> ONE_HOST = List.of("127.0.0.1", "127.0.0.1", "127.0.0.1");

    @Test
    void processesOnOneHostHavePortsOfTheirOwn() {
        ClusterPlan plan = new ClusterPlan("test", ONE_HOST, 2, 9876, 10911, Optional.empty());

        assertThat(plan.settings(1)).isEqualTo("""
                # Process 1 of 3 of the cluster test. Start it with:
                #   anser server -c anser-1.yaml --listen 127.0.0.1:9877 --data anser-data-1
                broker:
                  cluster: test
                  nameservers:
                    - 127.0.0.1:9876
                    - 127.0.0.1:9877
                    - 127.0.0.1:9878
                replication:
                  mode: raft
                  member: 1
                  groups:
                    - broker-a 0=127.0.0.1:10911 1=127.0.0.1:10913 2=127.0.0.1:10915
                    - broker-b 0=127.0.0.1:10912 1=127.0.0.1:10914 2=127.0.0.1:10916
                """);
    }

    @Test
    void processesOnTheirOwnHostsHaveTheSamePorts() {
        ClusterPlan plan = new ClusterPlan(
                "test", List.of("10.0.0.1", "10.0.0.2", "10.0.0.3"), 1, 9876, 10911, Optional.of("/etc/anser/secret"));

        assertThat(plan.settings(2))
                .contains(
                        "    - broker-a 0=10.0.0.1:10911 1=10.0.0.2:10911 2=10.0.0.3:10911\n",
                        "cluster:\n  secret: /etc/anser/secret\n");
        assertThat(plan.command(2))
                .isEqualTo("anser server -c anser-2.yaml --listen 10.0.0.3:9876 --data anser-data-2");
    }

    @Test
    void refusesWhatIsNoCluster() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ClusterPlan("t", List.of("a", "b"), 3, 9876, 10911, Optional.empty()))
                .withMessageContaining("hosts=2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ClusterPlan("t", ONE_HOST, 3, 10910, 10911, Optional.empty()))
                .withMessageContaining("overlap");
    }
}
