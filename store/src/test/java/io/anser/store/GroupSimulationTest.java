package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Members of a group under a model of the engine; see {@link GroupLife}. */
class GroupSimulationTest {
    private static final int SEEDS = 60;

    @Test
    void whatAGroupHasConfirmedIsNeverLostAndNeverChanges() {
        int elections = 0;
        int cuts = 0;
        int crashes = 0;
        int confirmed = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            GroupLife life = new GroupLife(seed);
            life.live(500);
            elections += life.elections;
            cuts += life.cuts;
            crashes += life.crashes;
            confirmed += life.confirmedEntries();
        }
        // So that a change of the odds does not leave a simulation in which nothing happens.
        assertThat(elections).as("elections").isGreaterThan(5 * SEEDS);
        assertThat(cuts).as("cuts").isGreaterThan(SEEDS);
        assertThat(crashes).as("crashes").isGreaterThan(5 * SEEDS);
        assertThat(confirmed).as("confirmed entries").isGreaterThan(20 * SEEDS);
    }
}
