package io.anser.broker.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of the bucket, some for chosen and some for random histories. */
class TokenBucketTest {
    private static final long SECOND = 1_000_000_000;

    private record Taken(long at, long amount) {}

    @Test
    void aFullBucketGivesWhatComesInInASecondAndOneMore() {
        long fullAt = 0;
        int given = 0;
        while (TokenBucket.waitNanos(fullAt, 0) == 0) {
            fullAt = TokenBucket.taken(fullAt, 0, TokenBucket.costNanos(1, 10));
            given++;
        }
        assertThat(given).isEqualTo(11);
        assertThat(TokenBucket.waitNanos(fullAt, 0)).isEqualTo(SECOND / 10);
    }

    @Test
    void aLargeAmountIsGivenAndOwed() {
        long fullAt = TokenBucket.taken(0, 0, TokenBucket.costNanos(50, 10));

        assertThat(TokenBucket.waitNanos(fullAt, 0)).isEqualTo(4 * SECOND);
        assertThat(TokenBucket.waitNanos(fullAt, 4 * SECOND)).isZero();
    }

    @Test
    void whatIsNotTakenInTimeIsLost() {
        long idle = TokenBucket.taken(0, 100 * SECOND, TokenBucket.costNanos(10, 10));

        assertThat(TokenBucket.waitNanos(idle, 100 * SECOND)).isZero();
        assertThat(TokenBucket.waitNanos(TokenBucket.taken(idle, 100 * SECOND, 1), 100 * SECOND))
                .isEqualTo(1);
    }

    @Test
    void costsAreRoundedUpAndNeverOverflow() {
        assertThat(TokenBucket.costNanos(1, 3)).isEqualTo(333_333_334);
        assertThat(TokenBucket.costNanos(0, 3)).isZero();
        assertThat(TokenBucket.costNanos(1, 1L << 40)).isEqualTo(1);
        assertThat(TokenBucket.costNanos(Long.MAX_VALUE, 1)).isEqualTo((1L << 32) * SECOND);
    }

    /** Somebody who takes only when there is something gets, in any stretch of time, the rate, a second's more, and a message. */
    @RepeatedTest(200)
    void nobodyGetsMoreThanTheRateTheBurstAndOneMessage(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        long perSecond = 1L + random.nextInt(random.nextBoolean() ? 20 : 1 << 20);
        int largest = 1 + random.nextInt(random.nextBoolean() ? 3 : 1 << 16);
        List<Taken> history = history(random, 0, perSecond, largest);

        for (int from = 0; from < history.size(); from++) {
            long sum = 0;
            for (int until = from; until < history.size(); until++) {
                sum += history.get(until).amount();
                double seconds = (history.get(until).at() - history.get(from).at()) / 1e9;
                assertThat((double) sum)
                        .as("from %d until %d", from, until)
                        .isLessThanOrEqualTo(perSecond * (seconds + 1) + largest + 1e-3 * sum);
            }
        }
    }

    /** And who always asks gets it all. */
    @RepeatedTest(50)
    void whoWaitsAsToldGetsTheRate(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        long perSecond = 1L + random.nextInt(100_000);
        long now = 0;
        long fullAt = 0;
        long sum = 0;
        for (int i = 0; i < 500; i++) {
            now += TokenBucket.waitNanos(fullAt, now);
            assertThat(TokenBucket.waitNanos(fullAt, now)).isZero();
            long amount = 1L + random.nextInt(200);
            fullAt = TokenBucket.taken(fullAt, now, TokenBucket.costNanos(amount, perSecond));
            sum += amount;
        }
        assertThat((double) sum).isGreaterThan(perSecond * (now / 1e9) * 0.999);
    }

    /** The origin of the clock does not matter, where it overflows neither. */
    @ParameterizedTest
    @ValueSource(longs = {0, -5_000_000_000L, Long.MAX_VALUE - 3_000_000_000L, Long.MIN_VALUE})
    void onlyDifferencesOfTimesCount(long origin) {
        List<Taken> here = history(new Random(7), origin, 50, 5);
        List<Taken> there = history(new Random(7), 0, 50, 5);

        assertThat(here).hasSameSizeAs(there);
        for (int i = 0; i < here.size(); i++) {
            assertThat(here.get(i).at() - origin).isEqualTo(there.get(i).at());
        }
    }

    private static List<Taken> history(Random random, long origin, long perSecond, int largest) {
        List<Taken> history = new ArrayList<>();
        long now = origin;
        long fullAt = origin;
        for (int i = 0; i < 150; i++) {
            now += random.nextInt(4) == 0 ? random.nextInt(2_000_000_000) : random.nextInt(10_000_000);
            int amount = 1 + random.nextInt(largest);
            if (TokenBucket.waitNanos(fullAt, now) == 0) {
                fullAt = TokenBucket.taken(fullAt, now, TokenBucket.costNanos(amount, perSecond));
                history.add(new Taken(now, amount));
            }
        }
        return history;
    }
}
