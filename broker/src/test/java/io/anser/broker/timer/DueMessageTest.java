package io.anser.broker.timer;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.append.NewMessage;
import io.anser.broker.metadata.PendingTimer;
import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.WireHost;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Waiting messages of another broker, made into ones of ours when they are appended again. */
class DueMessageTest extends HandDrivenTimers {
    private static final WireHost HOST = WireHost.of(new byte[] {127, 0, 0, 1}, 9876);

    private final DueMessage due = new DueMessage(state.topics(), topic -> 0);

    private static ByteBuffer message(String topic, int queueId, String properties) {
        byte[] name = topic.getBytes(StandardCharsets.UTF_8);
        byte[] block = properties.getBytes(StandardCharsets.UTF_8);
        ByteBuffer body = ByteBuffer.wrap(new byte[] {7});
        ByteBuffer message =
                ByteBuffer.allocate(MessageEncoder.encodedBytes(name.length, 1, block.length, false, false));
        MessageEncoder.encode(message, new MessageHeader(queueId, 0, 0, 0, HOST, HOST, 3, 0), name, body, block);
        return message.flip();
    }

    @Test
    void oneThatWaitsByLevelSaysWhenItIsDue() {
        NewMessage again = due.again(
                message("SCHEDULE_TOPIC_XXXX", 4, "REAL_TOPIC\u0001TBW102\u0002REAL_QID\u00010\u0002"),
                new PendingTimer(12_345, 7));

        assertThat(again.topic().name()).isEqualTo("SCHEDULE_TOPIC_XXXX");
        assertThat(again.header().queueId()).isEqualTo(4);
        assertThat(again.header().reconsumeTimes()).isEqualTo(3);
        assertThat(MessageProperties.value(again.properties(), "TIMER_OUT_MS")).contains("12345");
    }

    @Test
    void oneOfALevelThatIsNotKnownHereOrOfTheWheelGoesToTheLastQueue() {
        PendingTimer timer = new PendingTimer(12_345, 7);

        NewMessage level = due.again(message("SCHEDULE_TOPIC_XXXX", 20, ""), timer);
        NewMessage wheel = due.again(message("rmq_sys_wheel_timer", 0, "TIMER_OUT_MS\u000112000\u0002"), timer);

        assertThat(level.header().queueId()).isEqualTo(17);
        assertThat(wheel.topic().name()).isEqualTo("SCHEDULE_TOPIC_XXXX");
        assertThat(wheel.header().queueId()).isEqualTo(17);
        assertThat(MessageProperties.value(wheel.properties(), "TIMER_OUT_MS")).contains("12345");
    }
}
