package io.anser.broker.send;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.operation.SendMessage;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RetrySendTest {
    private static final SubscriptionGroupConfig GROUP = SubscriptionGroupConfig.defaults("g");

    @Test
    void aTryThatIsLeftGoesToTheRetryTopicAsItIs() {
        SendMessage.Request request = request(15, -1);

        RetrySend retry = RetrySend.of(request, GROUP);

        assertThat(retry.topic()).isEqualTo(new TopicConfig("%RETRY%g", 1, 1, 6));
        assertThat(retry.request()).isSameAs(request);
    }

    @Test
    void theGroupsLimitSendsItToTheDeadLetters() {
        RetrySend retry = RetrySend.of(request(16, -1), GROUP);

        assertThat(retry.topic()).isEqualTo(new TopicConfig("%DLQ%g", 1, 1, 6));
        assertThat(retry.request().topic()).isEqualTo("%DLQ%g");
        assertThat(retry.request().queueId()).isZero();
        assertThat(new String(retry.request().properties(), UTF_8))
                .isEqualTo("RETRY_TOPIC\u0001T\u0002ORIGIN_MESSAGE_ID\u0001id\u0002"
                        + "DLQ_ORIGIN_TOPIC\u0001T\u0002DLQ_ORIGIN_MESSAGE_ID\u0001id\u0002");
    }

    @Test
    void theClientsLimitComesBeforeTheGroups() {
        assertThat(RetrySend.of(request(2, 2), GROUP).topic().topicName()).isEqualTo("%DLQ%g");
        assertThat(RetrySend.of(request(16, 20), GROUP).topic().topicName()).isEqualTo("%RETRY%g");
    }

    /** With the failure counted, as concurrent consumers do, and ordered ones of 5.x. */
    @Test
    void aMessageGetsAsManyTriesWhenItsConsumerPutsItBackItself() {
        assertThat(RetrySend.of(failed(1, 1, 3), GROUP).topic().topicName()).isEqualTo("%RETRY%g");
        assertThat(RetrySend.of(failed(2, 1, 4), GROUP).topic().topicName()).isEqualTo("%DLQ%g");
        assertThat(RetrySend.of(failed(16, 16, 18), GROUP).topic().topicName()).isEqualTo("%RETRY%g");
        assertThat(RetrySend.of(failed(17, -1, 19), GROUP).topic().topicName()).isEqualTo("%DLQ%g");
    }

    @Test
    void anOrderedConsumerOf4CountsWithoutThisFailureAndIsNotMadeToWait() {
        assertThat(RetrySend.of(failed(1, 1, 4), GROUP).topic().topicName()).isEqualTo("%DLQ%g");
        assertThat(RetrySend.of(failed(16, -1, 19), GROUP).topic().topicName()).isEqualTo("%DLQ%g");
    }

    @Test
    void theGroupsPolicyTakesThePlaceOfTheUsualLevelButNotOfAChosenOne() {
        SubscriptionGroupConfig group = withWaits(1_000, 2_000, 30_000, 40_000);

        assertThat(text(RetrySend.of(failed(1, 16, 3), group)))
                .isEqualTo("KEYS\u0001k\u0002TIMER_DELAY_MS\u000130000\u0002");
        assertThat(text(RetrySend.of(failed(9, 16, 11), group)))
                .isEqualTo("KEYS\u0001k\u0002TIMER_DELAY_MS\u000140000\u0002");
        assertThat(text(RetrySend.of(failed(1, 16, 7), group))).isEqualTo("DELAY\u00017\u0002KEYS\u0001k\u0002");
        assertThat(text(RetrySend.of(failed(1, 16, 3), withWaits(0)))).isEqualTo("KEYS\u0001k\u0002");
    }

    private static String text(RetrySend retry) {
        return new String(retry.request().properties(), UTF_8);
    }

    private static SubscriptionGroupConfig withWaits(long... millis) {
        String waits = Arrays.toString(millis);
        return SubscriptionGroupConfig.read(
                ("{\"groupName\":\"g\",\"groupRetryPolicy\":{\"customizedRetryPolicy\":{\"next\":" + waits + "}}}")
                        .getBytes(UTF_8));
    }

    private static SendMessage.Request failed(int reconsumeTimes, int max, int level) {
        byte[] properties = ("DELAY\u0001" + level + "\u0002KEYS\u0001k\u0002").getBytes(UTF_8);
        return new SendMessage.Request(
                "g", "%RETRY%g", "TBW102", 4, 3, 0, 1, 0, properties, reconsumeTimes, false, false, max);
    }

    @Test
    void aDeadLetterThatWasOncePutOffIsNotPutOffAgain() {
        byte[] properties =
                "TIMER_DELAY_SEC\u00019\u0002TIMER_DELAY_MS\u00019\u0002TIMER_DELIVER_MS\u00019\u0002KEYS\u0001k\u0002"
                        .getBytes(UTF_8);
        SendMessage.Request last =
                new SendMessage.Request("g", "%RETRY%g", "TBW102", 4, 3, 0, 1, 0, properties, 16, false, false, -1);

        RetrySend retry = RetrySend.of(last, GROUP);

        assertThat(new String(retry.request().properties(), UTF_8)).isEqualTo("KEYS\u0001k\u0002");
    }

    private static SendMessage.Request request(int reconsumeTimes, int maxReconsumeTimes) {
        byte[] properties = "RETRY_TOPIC\u0001T\u0002DELAY\u00015\u0002ORIGIN_MESSAGE_ID\u0001id\u0002".getBytes(UTF_8);
        return new SendMessage.Request(
                "g", "%RETRY%g", "TBW102", 4, 3, 0, 1, 0, properties, reconsumeTimes, false, false, maxReconsumeTimes);
    }
}
