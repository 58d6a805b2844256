package io.anser.broker.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.broker.append.NewMessage;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.SystemTopics;
import io.anser.broker.metadata.Topic;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.WireHost;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SendAppendTest {
    private static final WireHost HOST = WireHost.of(new byte[] {127, 0, 0, 1}, 9876);

    private final Topic topic = new BrokerState(SystemTopics.of("C", "b", 8))
            .topics()
            .find("TBW102")
            .orElseThrow();
    private final ByteBuf body = Unpooled.copiedBuffer(new byte[] {1, 2, 3});

    @Test
    void holdsTheBodyOfAMessageThatCanBeEncoded() {
        SendAppend append = append(new byte[32_767]);

        assertThat(append.bytes(0)).isEqualTo(91 + 3 + 6 + 32_767);
        assertThat(body.refCnt()).isEqualTo(2);
    }

    @Test
    void holdsNothingOfAMessageWhosePropertiesHaveGrownTooLong() {
        assertThatThrownBy(() -> append(new byte[32_768]))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("properties bytes=32768 limit=32767");

        assertThat(body.refCnt()).isEqualTo(1);
    }

    private SendAppend append(byte[] properties) {
        MessageHeader header = new MessageHeader(0, 0, 0, 0, HOST, HOST, 0, 0);
        return new SendAppend(
                null,
                null,
                body,
                new NewMessage(topic, header, ByteBuffer.wrap(new byte[3]), properties),
                0,
                properties,
                Optional.empty());
    }
}
