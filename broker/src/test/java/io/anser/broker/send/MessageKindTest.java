package io.anser.broker.send;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.metadata.MessageType;
import io.anser.protocol.operation.SendMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessageKindTest {
    @ParameterizedTest
    @CsvSource({
        "KEYS, NORMAL",
        "DELAYED, NORMAL",
        "TIMER_DELIVERY, NORMAL",
        "DELAY, DELAY",
        "TIMER_DELAY_SEC, DELAY",
        "TIMER_DELAY_MS, DELAY",
        "TIMER_DELIVER_MS, DELAY",
        "__SHARDINGKEY, FIFO",
        "_SYS_MSG_PRIORITY_, PRIORITY",
    })
    void propertiesTellTheKind(String name, MessageType kind) {
        assertThat(kind(0, name + "\u00011\u0002")).isEqualTo(kind);
    }

    @Test
    void delayOfZeroIsNone() {
        assertThat(kind(0, "DELAY\u00010\u0002")).isEqualTo(MessageType.NORMAL);
    }

    @Test
    void transactionComesBeforeDelayAndDelayBeforeOrder() {
        assertThat(kind(0, "DELAY\u00011\u0002TRAN_MSG\u0001true\u0002")).isEqualTo(MessageType.TRANSACTION);
        assertThat(kind(4, "")).isEqualTo(MessageType.TRANSACTION);
        assertThat(kind(0, "__SHARDINGKEY\u00011\u0002DELAY\u00011\u0002")).isEqualTo(MessageType.DELAY);
    }

    @ParameterizedTest
    @CsvSource({
        "NORMAL, NORMAL, true",
        "NORMAL, FIFO, false",
        "NORMAL, DELAY, false",
        "NORMAL, TRANSACTION, false",
        "NORMAL, PRIORITY, false",
        "FIFO, FIFO, true",
        "FIFO, NORMAL, true",
        "FIFO, DELAY, false",
        "DELAY, DELAY, true",
        "DELAY, NORMAL, false",
        "TRANSACTION, TRANSACTION, true",
        "TRANSACTION, NORMAL, false",
        "PRIORITY, PRIORITY, true",
        "PRIORITY, NORMAL, true",
        "PRIORITY, TRANSACTION, false",
        "MIXED, DELAY, true",
        "UNSPECIFIED, TRANSACTION, true",
        "LITE, NORMAL, true",
    })
    void topicTakesWhatItIsFor(MessageType topic, MessageType message, boolean taken) {
        assertThat(topic.takes(message)).isEqualTo(taken);
    }

    @Test
    void typeThatNobodyKnowsIsRefusedAsAnAttribute() {
        assertThat(MessageType.problem("message.type", "fifo"))
                .contains(
                        "attribute message.type=fifo allowed=[UNSPECIFIED, NORMAL, FIFO, DELAY, TRANSACTION, PRIORITY,"
                                + " LITE, MIXED]");
        assertThat(MessageType.problem("message.type", "FIFO")).isEmpty();
        assertThat(MessageType.problem("other", "fifo")).isEmpty();
    }

    private static MessageType kind(int sysFlag, String properties) {
        byte[] block = properties.getBytes(UTF_8);
        SendMessage.Request request =
                new SendMessage.Request("p", "T", "TBW102", 4, 0, sysFlag, 77, 5, block, 0, false, false, -1);
        return MessageKind.of(request, PropertyHints.of(block));
    }
}
