package io.anser.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StartRuleTest {
    private static final long YOUNG = 100;
    private static final int HISTORIES = 2_000;

    @Test
    void aQueueIsYoungUntilItsFirstMessageIsOldOrGone() {
        assertThat(young(0, 5, OptionalLong.of(1_000), 1_099)).isTrue();
        assertThat(young(0, 5, OptionalLong.of(1_000), 1_100)).isFalse();
        assertThat(young(1, 5, OptionalLong.of(1_000), 1_050))
                .as("offset 0 is gone")
                .isFalse();
        assertThat(young(5, 5, OptionalLong.of(1_000), 1_050)).as("all is gone").isFalse();
        assertThat(young(0, 0, OptionalLong.empty(), 1_000_000))
                .as("never had a message")
                .isTrue();
        assertThat(young(0, 5, OptionalLong.empty(), 0))
                .as("older than its table")
                .isFalse();
        assertThat(young(0, 5, OptionalLong.of(1_000), 900))
                .as("the clock was set back")
                .isTrue();
    }

    private static boolean young(long min, long max, OptionalLong born, long now) {
        return StartRule.isYoung(min, max, born, now, YOUNG);
    }

    @Test
    void onlyAStartAtTheEndIsSettledAndOnlyWhereNothingWasCommitted() {
        assertThat(StartRule.settled(StartFrom.LAST, OffsetTable.NONE, 9, false))
                .isEqualTo(9);
        assertThat(StartRule.settled(StartFrom.LAST, OffsetTable.NONE, 9, true)).isZero();
        assertThat(StartRule.settled(StartFrom.LAST, 4, 9, false)).isEqualTo(OffsetTable.NONE);
        assertThat(StartRule.settled(StartFrom.FIRST, OffsetTable.NONE, 9, false))
                .isEqualTo(OffsetTable.NONE);
        assertThat(StartRule.settled(StartFrom.TIME, OffsetTable.NONE, 9, true)).isEqualTo(OffsetTable.NONE);
    }

    @Test
    void whereNothingWasSettledTheQueueIsNewOrTheClientDecides() {
        assertThat(StartRule.unsettled(false, Optional.of(StartFrom.LAST), false))
                .isZero();
        assertThat(StartRule.unsettled(false, Optional.of(StartFrom.FIRST), false))
                .isZero();
        assertThat(StartRule.unsettled(false, Optional.of(StartFrom.TIME), true))
                .isEqualTo(OffsetTable.NONE);
        assertThat(StartRule.unsettled(false, Optional.empty(), true)).isZero();
        assertThat(StartRule.unsettled(false, Optional.empty(), false)).isEqualTo(OffsetTable.NONE);
        assertThat(StartRule.unsettled(true, Optional.of(StartFrom.TIME), false))
                .isZero();
    }

    /** One queue: when it was made, and when its messages were stored. */
    private record History(long madeMillis, List<Long> storedMillis) {
        long maxAt(long millis) {
            return storedMillis.stream().filter(stored -> stored <= millis).count();
        }

        boolean isYoungAt(long millis) {
            OptionalLong born = storedMillis.stream()
                    .mapToLong(Long::longValue)
                    .filter(stored -> stored <= millis)
                    .findFirst();
            return StartRule.isYoung(0, maxAt(millis), born, millis, YOUNG);
        }

        static History random(Random random) {
            long at = random.nextInt(500);
            long made = at;
            List<Long> stored = new ArrayList<>();
            for (int left = random.nextInt(20); left > 0; left--) {
                at += random.nextInt(60);
                stored.add(at);
            }
            return new History(made, stored);
        }
    }

    /** Whenever the group asks, it starts at one place, which is before all that was sent after it subscribed. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void nothingSentAfterSubscribingIsMissedWheneverTheGroupAsks(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < HISTORIES; i++) {
            History queue = History.random(random);
            long subscribed = random.nextInt(1_000);
            boolean known = queue.madeMillis() <= subscribed;
            long settled = known
                    ? StartRule.settled(
                            StartFrom.LAST, OffsetTable.NONE, queue.maxAt(subscribed), queue.isYoungAt(subscribed))
                    : OffsetTable.NONE;
            for (int asked = 0; asked < 5; asked++) {
                long now = subscribed + random.nextInt(1_000);
                long start = settled != OffsetTable.NONE
                        ? settled
                        : StartRule.unsettled(false, Optional.of(StartFrom.LAST), queue.isYoungAt(now));
                assertThat(start)
                        .as("seed=%d history=%s subscribed=%d", seed, queue, subscribed)
                        .isBetween(0L, queue.maxAt(subscribed))
                        .isEqualTo(known && !queue.isYoungAt(subscribed) ? queue.maxAt(subscribed) : 0);
            }
        }
    }
}
