package io.anser.protocol.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DelayLevelsTest {
    @ParameterizedTest
    @CsvSource({
        "-1, 0",
        "0, 0",
        "1, 1000",
        "2, 5000",
        "3, 10000",
        "4, 30000",
        "5, 60000",
        "6, 120000",
        "7, 180000",
        "8, 240000",
        "9, 300000",
        "10, 360000",
        "11, 420000",
        "12, 480000",
        "13, 540000",
        "14, 600000",
        "15, 1200000",
        "16, 1800000",
        "17, 3600000",
        "18, 7200000",
        "19, 7200000",
        "99999999, 7200000"
    })
    void hasEighteenLevelsAndCutsOthers(int level, long millis) {
        assertThat(DelayLevels.delayMillis(level)).isEqualTo(millis);
    }

    @ParameterizedTest
    @CsvSource({"0, 3", "1, 4", "14, 17", "15, 18", "16, 18", "2147483647, 18", "-5, 3"})
    void climbsWithEveryRetry(int reconsumeTimes, int level) {
        assertThat(DelayLevels.retryLevel(reconsumeTimes)).isEqualTo(level);
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "18, 17", "100, 17"})
    void waitsInTheQueueOfItsLevel(int level, int queueId) {
        assertThat(DelayLevels.queueId(level)).isEqualTo(queueId);
    }
}
