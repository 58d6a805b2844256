package io.anser.broker.replication;

import org.junit.jupiter.api.Test;

/** Seeded lives of a primary and two replicas under losses, crashes and pauses. */
class ReplicationSimulationTest {
    private static final int SEEDS = 200;
    private static final int STEPS = 400;

    @Test
    void nothingIsAcknowledgedThatAReplicaLacksAndEveryReplicaIsTheBeginningOfThePrimary() {
        for (long seed = 0; seed < SEEDS; seed++) {
            new ReplicationLife(seed).live(STEPS);
        }
    }
}
