package io.anser.broker.flow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LimitTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void itNamesTheLimitAndWhatIsAskedFor() {
        Limit limit = new Limit(10, "messages", "attribute quota.produce.messages", 0);
        for (int i = 0; i < 57; i++) {
            limit.asked(SECOND * i / 57, 1);
        }
        limit.asked(SECOND, 1);

        assertThat(limit.describe(SECOND))
                .isEqualTo("limit=10 messages/s asked=58.0 messages/s (attribute quota.produce.messages)");
    }

    @Test
    void whatWasAskedForLongAgoIsForgotten() {
        Limit limit = new Limit(10, "bytes", "s", 0);
        limit.asked(0, 1_000);
        limit.asked(SECOND, 0);
        assertThat(limit.describe(SECOND)).contains("asked=1000.0 bytes/s");

        assertThat(limit.describe(5 * SECOND)).contains("asked=0.0 bytes/s");
    }

    @Test
    void noLimitNeverWaits() {
        Limit limit = new Limit(0, "bytes", "s", 0);
        limit.take(0, Long.MAX_VALUE);

        assertThat(limit.waitNanos(0)).isZero();
    }

    @Test
    void manyThreadsTakeNoMoreThanWhatIsThere() throws InterruptedException {
        Limit limit = new Limit(1_000_000, "messages", "s", 0);
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int take = 0; take < 500_000; take++) {
                    limit.take(0, 1);
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }

        // Two seconds' worth was taken, one was there.
        assertThat(limit.waitNanos(0)).isEqualTo(SECOND);
    }
}
