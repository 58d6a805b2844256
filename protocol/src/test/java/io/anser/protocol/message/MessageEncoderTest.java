package io.anser.protocol.message;

import static io.anser.protocol.message.Messages.BODY;
import static io.anser.protocol.message.Messages.BORN;
import static io.anser.protocol.message.Messages.BORN_V6;
import static io.anser.protocol.message.Messages.LONG_TOPIC;
import static io.anser.protocol.message.Messages.PROPERTIES;
import static io.anser.protocol.message.Messages.STORE;
import static io.anser.protocol.message.Messages.STORE_V6;
import static io.anser.protocol.message.Messages.TOPIC;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.protocol.GoldenFile;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MessageEncoderTest {
    @Test
    void writesTheBytesThatApacheWrites() {
        assertThat(Messages.encode(BORN, STORE, TOPIC, BODY, PROPERTIES))
                .isEqualTo(GoldenFile.hex("apache-5.5.0/message-v1.hex"));
    }

    @Test
    void writesIpv6HostsAsApacheDoes() {
        assertThat(Messages.encode(BORN_V6, STORE_V6, TOPIC, BODY, PROPERTIES))
                .isEqualTo(GoldenFile.hex("apache-5.5.0/message-v1-ipv6.hex"));
        assertThat(Messages.encode(BORN, STORE_V6, TOPIC, BODY, PROPERTIES))
                .isEqualTo(GoldenFile.hex("apache-5.5.0/message-v1-ipv6-store.hex"));
    }

    @Test
    void writesPropertiesWithoutTheLastSeparatorAsTheyCame() {
        byte[] properties = Arrays.copyOf(PROPERTIES, PROPERTIES.length - 1);

        assertThat(Messages.encode(BORN, STORE, TOPIC, BODY, properties))
                .isEqualTo(GoldenFile.hex("apache-4.9.8/message-v1.hex"));
        assertThat(Messages.encode(BORN_V6, STORE_V6, TOPIC, BODY, properties))
                .isEqualTo(GoldenFile.hex("apache-4.9.8/message-v1-ipv6.hex"));
    }

    @Test
    void takesTheSecondVersionForLongTopics() {
        byte[] message = Messages.encode(BORN, STORE, LONG_TOPIC, BODY, PROPERTIES);

        assertThat(message).isEqualTo(GoldenFile.hex("anser/message-v2.hex"));
        assertThat(new MessageView().wrap(ByteBuffer.wrap(message), 0).magic()).isEqualTo(0xDAA320AB);
    }

    @Test
    void takesTheFirstVersionUpTo127Bytes() {
        byte[] message = Messages.encode(BORN, STORE, "t".repeat(127).getBytes(UTF_8), BODY, PROPERTIES);

        assertThat(new MessageView().wrap(ByteBuffer.wrap(message), 0).magic()).isEqualTo(0xDAA320A7);
    }

    @Test
    void setsTheHostBitsItselfAndKeepsTheOthers() {
        ByteBuffer target = ByteBuffer.allocate(200);
        int wrongHostBits = SysFlag.BORN_HOST_V6 | SysFlag.STORE_HOST_V6 | SysFlag.COMPRESSED | 0x40000000;
        MessageHeader header = new MessageHeader(0, 0, wrongHostBits, 0, BORN, STORE, 0, 0);

        MessageEncoder.encode(target, header, TOPIC, ByteBuffer.allocate(0), PROPERTIES);

        assertThat(new MessageView().wrap(target, 0).sysFlag()).isEqualTo(0x40000001);
    }

    @Test
    void leavesTheBodyBufferAsItWasAndMovesBehindTheMessage() {
        ByteBuffer target = ByteBuffer.allocate(300).position(10);
        ByteBuffer body =
                ByteBuffer.wrap("..body..".getBytes(UTF_8)).position(2).limit(6);

        MessageEncoder.encode(target, new MessageHeader(0, 0, 0, 0, BORN, STORE, 0, 0), TOPIC, body, PROPERTIES);

        assertThat(body.position()).isEqualTo(2);
        assertThat(body.limit()).isEqualTo(6);
        assertThat(target.position()).isEqualTo(10 + 91 + 6 + 4 + PROPERTIES.length);
        MessageView message = new MessageView().wrap(target, 10);
        assertThat(message.body()).isEqualTo(ByteBuffer.wrap("body".getBytes(UTF_8)));
        assertThat(message.isBodyIntact()).isTrue();
    }

    @Test
    void patchesAlsoTheQueue() {
        ByteBuffer message = ByteBuffer.wrap(Messages.plain());

        MessageEncoder.patch(message, 0, 8, 43, 1, 2);

        MessageView view = new MessageView().wrap(message, 0);
        assertThat(view.queueId()).isEqualTo(8);
        assertThat(view.queueOffset()).isEqualTo(43);
        assertThat(view.physicalOffset()).isEqualTo(1);
        assertThat(view.storeTimestamp()).isEqualTo(2);
    }

    @Test
    void refusesPropertiesThatTheirLengthFieldCannotHold() {
        assertThatThrownBy(() -> MessageEncoder.encodedBytes(6, 0, 32768, false, false))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("properties bytes=32768 limit=32767");
        assertThat(MessageEncoder.encodedBytes(6, 0, 32767, false, false)).isEqualTo(91 + 6 + 32767);
    }

    @Test
    void refusesPartsThatAreTooLargeTogether() {
        assertThatThrownBy(() -> MessageEncoder.encodedBytes(6, Integer.MAX_VALUE, 0, true, true))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("message bytes=2147483768 limit=2147483647");
        assertThatThrownBy(() -> MessageEncoder.encodedBytes(32768, 0, 0, false, false))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("topic bytes=32768 limit=32767");
    }
}
