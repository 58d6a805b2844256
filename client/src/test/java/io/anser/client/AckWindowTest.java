package io.anser.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AckWindowTest {
    private final AckWindow window = new AckWindow(100);

    @Test
    void mayCommitTheFirstOffsetBeforeAnythingIsReceived() {
        assertThat(window.committable()).isEqualTo(100);
    }

    @Test
    void holdsTheOffsetBackForTheOldestMessageNotDone() {
        receive(100, 101, 102);

        window.acknowledge(101);
        window.acknowledge(102);

        assertThat(window.committable()).isEqualTo(100);
        assertThat(window.span()).isEqualTo(3);
    }

    @Test
    void passesAllDoneMessagesAtOnceWhenTheOldestIsDone() {
        receive(100, 101, 102, 103);
        window.acknowledge(101);
        window.acknowledge(102);

        window.acknowledge(100);

        assertThat(window.committable()).isEqualTo(103);
    }

    @Test
    void passesOffsetsThatAFilterLeftOut() {
        receive(100, 105);
        window.passedUntil(110);

        window.acknowledge(100);
        assertThat(window.committable()).isEqualTo(105);

        window.acknowledge(105);
        assertThat(window.committable()).isEqualTo(110);
    }

    @Test
    void countsASecondAcknowledgementAsNothing() {
        receive(100, 101);

        assertThat(window.acknowledge(101)).isTrue();
        assertThat(window.acknowledge(101)).isFalse();
        assertThat(window.acknowledge(250)).isFalse();
    }

    @Test
    void takesNoMessageTwice() {
        receive(100, 101);
        window.acknowledge(100);

        assertThat(window.received(100)).isFalse();
        assertThat(window.received(101)).isFalse();
        assertThat(window.received(102)).isTrue();
    }

    @Test
    void endsUpAtTheEndWhateverTheOrderOfAcknowledgements() {
        Random order = new Random(17);
        long next = 100;
        for (int burst = 0; burst < 50; burst++) {
            List<Long> pending = new ArrayList<>();
            for (int i = 0; i < 150; i++) {
                next += 1 + order.nextInt(3);
                assertThat(window.received(next)).isTrue();
                pending.add(next);
            }
            long oldest = Collections.min(pending);
            Collections.shuffle(pending, order);
            for (long offset : pending) {
                assertThat(window.committable()).isGreaterThanOrEqualTo(Math.min(oldest, offset));
                window.acknowledge(offset);
            }
            assertThat(window.committable()).isEqualTo(next + 1);
        }
    }

    private void receive(long... offsets) {
        for (long offset : offsets) {
            assertThat(window.received(offset)).isTrue();
        }
    }
}
