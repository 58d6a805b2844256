package io.anser.client;

import static io.anser.client.SendRetryPolicy.Step.AGAIN;
import static io.anser.client.SendRetryPolicy.Step.ELSEWHERE;
import static io.anser.client.SendRetryPolicy.Step.GIVE_UP;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SendRetryPolicyTest {
    @Test
    void triesAgainWhereABrokerWasBusyOrSilent() {
        assertThat(SendRetryPolicy.after(2, 1, 16)).isEqualTo(AGAIN);
        assertThat(SendRetryPolicy.after(14, 1, 16)).isEqualTo(AGAIN);
        assertThat(SendRetryPolicy.after(1500, 1, 16)).isEqualTo(AGAIN);
        assertThat(SendRetryPolicy.after(AnserException.NO_ANSWER, 15, 16)).isEqualTo(AGAIN);
    }

    @Test
    void triesOnlyAnotherBrokerWhereThisOneWillNeverTakeIt() {
        assertThat(SendRetryPolicy.after(17, 1, 16)).isEqualTo(ELSEWHERE);
        assertThat(SendRetryPolicy.after(16, 1, 16)).isEqualTo(ELSEWHERE);
        assertThat(SendRetryPolicy.after(204, 1, 16)).isEqualTo(ELSEWHERE);
        assertThat(SendRetryPolicy.after(205, 1, 16)).isEqualTo(ELSEWHERE);
    }

    @Test
    void givesUpAtOnceWhereTheMessageItselfIsRefused() {
        assertThat(SendRetryPolicy.after(13, 1, 16)).isEqualTo(GIVE_UP);
        assertThat(SendRetryPolicy.after(29, 1, 16)).isEqualTo(GIVE_UP);
    }

    @Test
    void triesABrokersOwnErrorThreeTimesOnly() {
        assertThat(SendRetryPolicy.after(1, 2, 16)).isEqualTo(AGAIN);
        assertThat(SendRetryPolicy.after(1, 3, 16)).isEqualTo(GIVE_UP);
    }

    @Test
    void givesUpAfterTheLastAttemptWhateverFailed() {
        assertThat(SendRetryPolicy.after(AnserException.NO_ANSWER, 16, 16)).isEqualTo(GIVE_UP);
        assertThat(SendRetryPolicy.after(17, 1, 1)).isEqualTo(GIVE_UP);
    }

    @Test
    void waitsTwiceAsLongEachTimeUpToASecond() {
        assertThat(SendRetryPolicy.waitMillis(1)).isEqualTo(50);
        assertThat(SendRetryPolicy.waitMillis(2)).isEqualTo(100);
        assertThat(SendRetryPolicy.waitMillis(5)).isEqualTo(800);
        assertThat(SendRetryPolicy.waitMillis(6)).isEqualTo(1000);
        assertThat(SendRetryPolicy.waitMillis(1000)).isEqualTo(1000);
    }
}
