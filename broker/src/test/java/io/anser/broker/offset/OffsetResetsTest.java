package io.anser.broker.offset;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.metadata.QueueKey;
import io.anser.system.VirtualTime;
import org.junit.jupiter.api.Test;

class OffsetResetsTest {
    private static final QueueKey QUEUE = new QueueKey("G", "T", 0);

    private final OffsetResets resets = new OffsetResets(new VirtualTime());

    private long target() {
        return resets.target("G", "T", 0, 50);
    }

    @Test
    void anOlderResetThatFailsLeavesTheNewerOne() {
        long older = resets.begin(QUEUE, 5);
        resets.begin(QUEUE, 7);

        resets.takeBack(QUEUE, older);

        assertThat(target()).isEqualTo(7);
    }

    @Test
    void theOneBeforeCountsAgainWhenANewerOneFails() {
        resets.begin(QUEUE, 5);
        assertThat(target()).isEqualTo(5);
        long newer = resets.begin(QUEUE, 7);
        assertThat(target()).as("told, which keeps it the same one").isEqualTo(7);

        resets.takeBack(QUEUE, newer);

        assertThat(target()).isEqualTo(5);
    }

    @Test
    void nothingIsLeftOfTheOnlyOne() {
        resets.takeBack(QUEUE, resets.begin(QUEUE, 5));

        assertThat(target()).isEqualTo(OffsetResets.NONE);
        assertThat(resets.waiting()).isZero();
    }
}
