package io.anser.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.broker.metadata.Change.TopicSaved;
import io.anser.protocol.body.TopicConfig;
import io.anser.store.file.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProposalsTest {
    private static final Change FOUR_QUEUES = new TopicSaved(1, new TopicConfig("T", 4, 4, 6));
    private static final Change EIGHT_QUEUES = new TopicSaved(2, new TopicConfig("T", 8, 8, 6));

    private final HeldLog log = new HeldLog();
    private final Proposals proposals = new Proposals(log);
    private final List<String> told = new ArrayList<>();

    @Test
    void theOutcomeIsToldWhenTheChangeIsCommitted() {
        proposals.propose(FOUR_QUEUES, outcome("first"));
        assertThat(told).isEmpty();

        log.commitAll();

        assertThat(told).containsExactly("first committed");
    }

    @Test
    void aSecondProposalAboutTheSameThingWaitsForTheFirst() {
        proposals.proposeOnce(FOUR_QUEUES, () -> false, outcome("first"));
        proposals.proposeOnce(EIGHT_QUEUES, () -> false, outcome("second"));
        assertThat(log.size()).isEqualTo(1);

        log.commitAll();

        assertThat(told).containsExactly("first committed", "second committed");
    }

    @Test
    void allWhoWaitHearOfTheFailureAndTheNextProposalIsNew() {
        proposals.proposeOnce(FOUR_QUEUES, () -> false, outcome("first"));
        proposals.proposeOnce(FOUR_QUEUES, () -> false, outcome("second"));
        log.failAll();
        proposals.proposeOnce(FOUR_QUEUES, () -> false, outcome("third"));

        assertThat(told).containsExactly("first lost", "second lost");
        assertThat(log.size()).isEqualTo(1);
    }

    @Test
    void changesOfDifferentThingsDoNotWaitForOneAnother() {
        proposals.proposeOnce(FOUR_QUEUES, () -> false, outcome("first"));
        proposals.proposeOnce(new TopicSaved(1, new TopicConfig("U", 4, 4, 6)), () -> false, outcome("second"));

        assertThat(log.size()).isEqualTo(2);
    }

    @Test
    void aRefusalOfTheLogIsToldAtOnce() {
        log.refuse();

        proposals.proposeOnce(FOUR_QUEUES, () -> false, outcome("first"));
        proposals.propose(FOUR_QUEUES, outcome("second"));

        assertThat(told).containsExactly("first busy", "second busy");
    }

    @Test
    void whatHoldsSinceTheCallerLookedIsNotWrittenAgain() {
        proposals.proposeOnce(FOUR_QUEUES, () -> true, outcome("first"));

        assertThat(told).containsExactly("first committed");
        assertThat(log.size()).isZero();
    }

    @Test
    void everybodyIsToldThoughOneOfThemThrows() {
        proposals.proposeOnce(FOUR_QUEUES, () -> false, new Outcome() {
            @Override
            public void committed() {
                throw new IllegalStateException("the test's handler is broken");
            }

            @Override
            public void failed(StoreException reason) {}
        });
        proposals.proposeOnce(FOUR_QUEUES, () -> false, outcome("second"));

        assertThatThrownBy(log::commitAll).hasMessage("the test's handler is broken");
        assertThat(told).containsExactly("second committed");
    }

    @Test
    void everybodyIsToldThoughOneOfThemEndsWithAnError() {
        proposals.proposeOnce(FOUR_QUEUES, () -> false, new Outcome() {
            @Override
            public void committed() {
                throw new StackOverflowError("the test's");
            }

            @Override
            public void failed(StoreException reason) {}
        });
        proposals.proposeOnce(FOUR_QUEUES, () -> false, outcome("second"));

        assertThatThrownBy(log::commitAll).isInstanceOf(StackOverflowError.class);
        assertThat(told).containsExactly("second committed");
    }

    @Test
    void aProposalThatBreaksIsToldAndNobodyWaitsForItAfterwards() {
        assertThatThrownBy(() -> proposals.proposeOnce(
                        FOUR_QUEUES,
                        () -> {
                            // One who comes meanwhile waits for it.
                            proposals.proposeOnce(FOUR_QUEUES, () -> false, outcome("second"));
                            throw new IllegalStateException("the test's look is broken");
                        },
                        outcome("first")))
                .hasMessage("the test's look is broken");
        proposals.proposeOnce(FOUR_QUEUES, () -> false, outcome("third"));
        log.commitAll();

        assertThat(told)
                .containsExactly(
                        "first the change of topic T could not be proposed",
                        "second the change of topic T could not be proposed",
                        "third committed");
    }

    @Test
    void tooManyWhoWaitAreRefused() {
        for (int i = 0; i < Proposals.MAX_WAITING; i++) {
            proposals.proposeOnce(FOUR_QUEUES, () -> false, Outcome.IGNORED);
        }

        proposals.proposeOnce(FOUR_QUEUES, () -> false, outcome("one too many"));

        assertThat(told).containsExactly("one too many topic T has 4096 requests waiting for it");
    }

    @Test
    void aProposalHasAtLeastOneChange() {
        assertThatThrownBy(() -> proposals.propose(List.of(), Outcome.IGNORED))
                .hasMessage("changes=0, allowed 1 to 1024");
    }

    private Outcome outcome(String who) {
        return new Outcome() {
            @Override
            public void committed() {
                told.add(who + " committed");
            }

            @Override
            public void failed(StoreException reason) {
                told.add(who + " " + reason.getMessage());
            }
        };
    }
}
