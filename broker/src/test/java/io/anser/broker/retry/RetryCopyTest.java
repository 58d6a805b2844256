package io.anser.broker.retry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.append.Postponement;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.WireHost;
import io.anser.protocol.operation.ConsumerSendMessageBack;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class RetryCopyTest {
    private static final SubscriptionGroupConfig GROUP = SubscriptionGroupConfig.defaults("g");
    private static final WireHost HOST = WireHost.of(new byte[] {127, 0, 0, 1}, 10911);
    private static final String FIRST_ID = "7F00000100002A9F0000000000000100";

    @Test
    void theFirstCopyNotesTopicAndIdAndWaitsTenSeconds() {
        RetryCopy copy = RetryCopy.of(message(0, "KEYS\u0001k\u0002"), request(0, -1), GROUP);

        assertThat(copy.topic()).isEqualTo(new TopicConfig("%RETRY%g", 1, 1, 6));
        assertThat(copy.delayLevel()).isEqualTo(3);
        assertThat(new String(copy.properties(), UTF_8))
                .isEqualTo("KEYS\u0001k\u0002RETRY_TOPIC\u0001T\u0002ORIGIN_MESSAGE_ID\u0001" + FIRST_ID
                        + "\u0002DELAY\u00013\u0002");
    }

    @Test
    void laterCopiesKeepTheFirstTopicAndId() {
        String properties = "RETRY_TOPIC\u0001First\u0002ORIGIN_MESSAGE_ID\u0001first\u0002DELAY\u00013\u0002";

        RetryCopy copy = RetryCopy.of(message(2, properties), request(0, -1), GROUP);

        assertThat(copy.delayLevel()).isEqualTo(5);
        assertThat(new String(copy.properties(), UTF_8))
                .isEqualTo("RETRY_TOPIC\u0001First\u0002ORIGIN_MESSAGE_ID\u0001first\u0002DELAY\u00015\u0002");
    }

    @Test
    void theClientMayChooseTheLevel() {
        assertThat(RetryCopy.of(message(2, ""), request(1, -1), GROUP).delayLevel())
                .isEqualTo(1);
        assertThat(RetryCopy.of(message(2, ""), request(99, -1), GROUP).delayLevel())
                .isEqualTo(18);
    }

    @Test
    void theGroupsPolicyDecidesUnlessTheClientChooses() {
        SubscriptionGroupConfig group = SubscriptionGroupConfig.read(
                "{\"groupName\":\"g\",\"groupRetryPolicy\":{\"type\":\"EXPONENTIAL\",\"exponentialRetryPolicy\":{\"initial\":700}}}"
                        .getBytes(UTF_8));

        RetryCopy copy = RetryCopy.of(message(2, "DELAY\u00015\u0002"), request(0, -1), group);

        assertThat(copy.until(1_000)).hasValue(Postponement.until(1_000 + 2_800));
        assertThat(new String(copy.properties(), UTF_8)).doesNotContain("DELAY");
        assertThat(RetryCopy.of(message(2, ""), request(4, -1), group).until(1_000))
                .hasValue(Postponement.level(4, 1_000));
        assertThat(RetryCopy.of(message(16, ""), request(0, -1), group).until(1_000))
                .isEmpty();
    }

    @Test
    void aMessageWithoutATryLeftIsADeadLetter() {
        RetryCopy copy = RetryCopy.of(message(16, ""), request(0, -1), GROUP);

        assertThat(copy.topic()).isEqualTo(new TopicConfig("%DLQ%g", 1, 1, 6));
        assertThat(copy.delayLevel()).isZero();
        assertThat(new String(copy.properties(), UTF_8))
                .isEqualTo("RETRY_TOPIC\u0001T\u0002ORIGIN_MESSAGE_ID\u0001" + FIRST_ID
                        + "\u0002DLQ_ORIGIN_TOPIC\u0001T\u0002DLQ_ORIGIN_MESSAGE_ID\u0001" + FIRST_ID + "\u0002");
    }

    @Test
    void theClientMayGiveUpAtOnceOrSetItsOwnLimit() {
        assertThat(RetryCopy.of(message(0, ""), request(-1, -1), GROUP).topic().topicName())
                .isEqualTo("%DLQ%g");
        assertThat(RetryCopy.of(message(1, ""), request(0, 1), GROUP).topic().topicName())
                .isEqualTo("%DLQ%g");
        assertThat(RetryCopy.of(message(16, ""), request(0, 17), GROUP).topic().topicName())
                .isEqualTo("%RETRY%g");
    }

    private static ConsumerSendMessageBack.Request request(int delayLevel, int maxReconsumeTimes) {
        return new ConsumerSendMessageBack.Request(256, "g", delayLevel, "", "T", false, maxReconsumeTimes);
    }

    private static MessageView message(int reconsumeTimes, String properties) {
        ByteBuffer target = ByteBuffer.allocate(1024);
        MessageHeader header = new MessageHeader(0, 0, 0, 5, HOST, HOST, reconsumeTimes, 0);
        MessageEncoder.encode(
                target, header, "T".getBytes(UTF_8), ByteBuffer.wrap(new byte[] {1}), properties.getBytes(UTF_8));
        MessageEncoder.patch(target, 0, 7, 256, 9);
        return new MessageView().wrap(target.flip(), 0);
    }
}
