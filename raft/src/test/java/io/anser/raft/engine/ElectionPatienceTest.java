package io.anser.raft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ElectionPatienceTest {
    private final List<Integer> timeouts = new ArrayList<>();
    private final ElectionPatience patience = new ElectionPatience(1_000, this::take);

    private boolean busy;

    private boolean take(int millis) {
        return !busy && timeouts.add(millis);
    }

    private void look(boolean leaderKnown, int times) {
        for (int i = 0; i < times; i++) {
            patience.look(leaderKnown);
        }
    }

    @Test
    void anElectionThatTakesAMomentChangesNothing() {
        look(false, ElectionPatience.LOOKS_WITHOUT_LEADER - 1);
        look(true, 100);
        look(false, ElectionPatience.LOOKS_WITHOUT_LEADER - 1);

        assertThat(timeouts).isEmpty();
    }

    @Test
    void theTimeOutDoublesWhileNoElectionSucceedsUpToALimit() {
        look(false, 10 * ElectionPatience.LOOKS_WITHOUT_LEADER);

        assertThat(timeouts).containsExactly(2_000, 4_000, 8_000);
    }

    @Test
    void aLeaderThatStaysBringsTheConfiguredTimeOutBack() {
        look(false, 2 * ElectionPatience.LOOKS_WITHOUT_LEADER);
        look(true, ElectionPatience.LOOKS_WITH_LEADER - 1);
        look(false, 1);
        look(true, ElectionPatience.LOOKS_WITH_LEADER - 1);
        assertThat(timeouts).containsExactly(2_000, 4_000);

        look(true, 5);

        assertThat(timeouts).containsExactly(2_000, 4_000, 1_000);
    }

    @Test
    void aChangeThatWasNotTakenIsAskedForAgain() {
        busy = true;
        look(false, 2 * ElectionPatience.LOOKS_WITHOUT_LEADER);
        busy = false;
        look(false, 1);
        assertThat(timeouts).containsExactly(2_000);

        busy = true;
        look(true, ElectionPatience.LOOKS_WITH_LEADER);
        busy = false;
        look(true, 1);

        assertThat(timeouts).containsExactly(2_000, 1_000);
    }
}
