package io.anser.broker.append;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.body.GroupRetryPolicy;
import io.anser.protocol.body.GroupRetryPolicy.Exponential;
import io.anser.protocol.message.DelayLevels;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryRuleTest {
    /** The steps that everybody knows: 10 s, 30 s, 1 to 10 min, 20 min, 30 min, 1 h, 2 h. */
    @Test
    void thereAreSixteenStandardSteps() {
        assertThat(IntStream.range(0, 17)
                        .mapToLong(tries -> DelayLevels.delayMillis(RetryRule.delayLevel(0, tries)) / 1000))
                .containsExactly(
                        10L, 30L, 60L, 120L, 180L, 240L, 300L, 360L, 420L, 480L, 540L, 600L, 1200L, 1800L, 3600L, 7200L,
                        7200L);
    }

    @Test
    void aListOfWaitsBeginsAtTheThirdAndEndsAtItsLast() {
        GroupRetryPolicy policy = waits(1, 2, 3, 4);

        assertThat(IntStream.of(-1, 0, 1, 2, Integer.MAX_VALUE)
                        .mapToLong(tries -> RetryRule.delayMillis(policy, tries)))
                .containsExactly(3L, 3L, 4L, 4L, 4L);
        assertThat(RetryRule.delayMillis(waits(7), 0)).isEqualTo(7);
    }

    @Test
    void growingWaitsGrowToTheLongest() {
        GroupRetryPolicy policy = growing(5_000, 7_200_000, 2);

        assertThat(IntStream.of(-1, 0, 1, 2, 10, 11, Integer.MAX_VALUE)
                        .mapToLong(tries -> RetryRule.delayMillis(policy, tries)))
                .containsExactly(5_000L, 5_000L, 10_000L, 20_000L, 5_120_000L, 7_200_000L, 7_200_000L);
    }

    @Test
    void aPolicyWithoutItsNumbersIsTheStandardOne() {
        assertThat(GroupRetryPolicy.STANDARD.isStandard()).isTrue();
        assertThat(new GroupRetryPolicy(GroupRetryPolicy.Type.EXPONENTIAL, Optional.empty(), List.of(1L)).isStandard())
                .isTrue();
        assertThat(new GroupRetryPolicy(
                                GroupRetryPolicy.Type.CUSTOMIZED, Optional.of(new Exponential(1, 2, 3)), List.of())
                        .isStandard())
                .isTrue();
        assertThat(waits(1).isStandard()).isFalse();
        assertThat(growing(1, 2, 3).isStandard()).isFalse();
    }

    /** Whatever the numbers: a wait is never negative, never beyond the longest, and no shorter than the one before. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void growingWaitsNeverShrinkAndNeverOverflow(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            long initial = 1 + (random.nextLong() >>> (1 + random.nextInt(62)));
            long max = initial + (random.nextLong() >>> (2 + random.nextInt(61))) / 2;
            GroupRetryPolicy policy = growing(initial, Math.max(initial, max), 1 + random.nextInt(1_000_000));
            long before = 0;
            for (int tries = 0; tries < 40; tries++) {
                long wait = RetryRule.delayMillis(policy, tries);
                assertThat(wait).as("seed=%d %s tries=%d", seed, policy, tries).isBetween(before, Long.MAX_VALUE);
                before = wait;
            }
        }
    }

    private static GroupRetryPolicy waits(long... millis) {
        return new GroupRetryPolicy(
                GroupRetryPolicy.Type.CUSTOMIZED,
                Optional.empty(),
                LongStream.of(millis).boxed().toList());
    }

    private static GroupRetryPolicy growing(long initial, long max, long multiplier) {
        return new GroupRetryPolicy(
                GroupRetryPolicy.Type.EXPONENTIAL, Optional.of(new Exponential(initial, max, multiplier)), List.of());
    }
}
