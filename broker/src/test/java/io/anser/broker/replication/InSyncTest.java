package io.anser.broker.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.replication.CopySettings.WithoutReplicas;
import java.util.List;
import org.junit.jupiter.api.Test;

class InSyncTest {
    private static final int MIB = 1 << 20;

    private final InSync refusing = new InSync(1, 1_000, WithoutReplicas.REFUSE);
    private final InSync degrading = new InSync(1, 1_000, WithoutReplicas.DEGRADE);

    @Test
    void onlyWhatEnoughReplicasHaveIsAcknowledged() {
        InSync two = new InSync(2, 1_000, WithoutReplicas.REFUSE);

        two.look(List.of(70L), 100, 0);
        assertThat(two.limit()).isZero();
        two.look(List.of(70L, 50L), 100, 10);
        assertThat(two.limit()).isEqualTo(50);
        two.look(List.of(70L, 50L, 90L), 100, 20);
        assertThat(two.limit()).isEqualTo(70);
        assertThat(two.state()).isEqualTo(InSync.State.SYNC);
    }

    @Test
    void whatWasAcknowledgedStaysSoWhenAReplicaGoesOrComesBackWithLess() {
        refusing.look(List.of(80L), 100, 0);
        refusing.look(List.of(), 100, 10);
        assertThat(refusing.limit()).isEqualTo(80);
        refusing.look(List.of(20L), 100, 20);
        assertThat(refusing.limit()).isEqualTo(80);
    }

    @Test
    void withoutReplicasItRefusesWhenTheTimeIsOver() {
        refusing.look(List.of(100L), 100, 0);
        assertThat(refusing.look(List.of(), 100, 5_000)).isFalse();
        assertThat(refusing.look(List.of(), 100, 5_999)).isFalse();
        assertThat(refusing.state()).isEqualTo(InSync.State.SYNC);

        assertThat(refusing.look(List.of(), 100, 6_000)).isTrue();
        assertThat(refusing.state()).isEqualTo(InSync.State.REFUSING);
        assertThat(refusing.limit()).isEqualTo(100);
    }

    @Test
    void withoutReplicasItAcknowledgesAloneIfItMay() {
        degrading.look(List.of(), 10, 0);
        degrading.look(List.of(), 20, 1_000);

        assertThat(degrading.state()).isEqualTo(InSync.State.DEGRADED);
        assertThat(degrading.limit()).isEqualTo(Long.MAX_VALUE);
        assertThat(degrading.copied()).isZero();
    }

    @Test
    void aReplicaThatHangsCountsAsNone() {
        refusing.look(List.of(100L), 100, 0);
        refusing.look(List.of(100L), 200, 100);
        refusing.look(List.of(100L), 300, 1_099);
        assertThat(refusing.state()).isEqualTo(InSync.State.SYNC);
        refusing.look(List.of(100L), 300, 1_100);
        assertThat(refusing.state()).isEqualTo(InSync.State.REFUSING);
    }

    @Test
    void aReplicaThatIsBehindAndGoesOnIsWaitedFor() {
        for (int i = 1; i < 100; i++) {
            degrading.look(List.of(i * 10L), 10_000, i * 900L);
        }
        assertThat(degrading.state()).isEqualTo(InSync.State.SYNC);
    }

    @Test
    void aReplicaIsWaitedForAgainWhenItIsNearTheEnd() {
        degrading.look(List.of(), 0, 0);
        degrading.look(List.of(), 0, 1_000);
        degrading.look(List.of(5L * MIB), 10 * MIB, 1_100);
        assertThat(degrading.state()).isEqualTo(InSync.State.DEGRADED);

        assertThat(degrading.look(List.of(6L * MIB), 10 * MIB, 1_200)).isTrue();
        assertThat(degrading.state()).isEqualTo(InSync.State.SYNC);
        assertThat(degrading.limit()).isEqualTo(6L * MIB);
    }

    @Test
    void whatWaitedWhileItRefusedIsAcknowledgedWhenAReplicaHasIt() {
        refusing.look(List.of(), 50, 0);
        refusing.look(List.of(), 50, 1_000);
        assertThat(refusing.limit()).isZero();

        refusing.look(List.of(50L), 50, 9_000);
        assertThat(refusing.state()).isEqualTo(InSync.State.SYNC);
        assertThat(refusing.limit()).isEqualTo(50);
    }
}
