package io.anser.broker.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class LookUpsTest {
    private final LookUps lookUps = new LookUps();

    @Test
    void aLookUpThatHasEndedCountsNoMore() {
        for (int i = 0; i < 10; i++) {
            assertThat(lookUps.atWork(() -> "found")).as("look-up %d", i).contains("found");
        }
    }

    @Test
    void neitherDoesOneThatHasFailed() {
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> lookUps.atWork(() -> {
                        throw new IllegalStateException("broken");
                    }))
                    .hasMessage("broken");
        }
    }

    @Test
    void moreThanAFewAtATimeAreRefused() {
        Optional<Optional<String>> answers = lookUps.atWork(
                () -> lookUps.atWork(() -> lookUps.atWork(() -> "one too many").orElse("refused")));

        assertThat(answers).contains(Optional.of("refused"));
    }
}
