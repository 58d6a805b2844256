package io.anser.broker.send;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.broker.append.NewMessage;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.SystemTopics;
import io.anser.broker.metadata.Topic;
import io.anser.protocol.message.BatchBody;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.WireHost;
import io.anser.system.VirtualTime;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchMessagesTest {
    private static final WireHost HOST = WireHost.of(new byte[] {127, 0, 0, 1}, 9876);

    private final Topic topic = new BrokerState(SystemTopics.of("C", "b", 8))
            .topics()
            .find("TBW102")
            .orElseThrow();
    private final ByteBuffer batch = ByteBuffer.allocateDirect(1 << 16);

    @Test
    void encodesEachMessageAsIfItHadComeAlone() {
        List<String> blocks = List.of(
                "",
                "TAGS\u0001x\u0002",
                "TAGS\u0001open",
                "MSG_REGION\u0001elsewhere\u0002",
                "KEYS\u0001" + "k".repeat(2000) + "\u0002",
                "p".repeat(32_767));
        for (int item = 0; item < blocks.size(); item++) {
            put(item, "body " + item, blocks.get(item));
        }
        BatchMessages messages = messages();

        assertThat(messages.count()).isEqualTo(blocks.size());
        for (int item = blocks.size() - 1; item >= 0; item--) {
            NewMessage alone = alone(item, "body " + item, blocks.get(item));
            ByteBuffer expected = ByteBuffer.allocate(alone.bytes());
            alone.encode(expected);
            ByteBuffer found = ByteBuffer.allocateDirect(messages.bytes(item));
            messages.encode(item, found);
            assertThat(found.flip()).isEqualTo(expected.flip());
        }
    }

    @Test
    void refusesABatchWithAMessageThatAsksForADelay() {
        put(0, "a", "");
        put(0, "b", "DELAY\u00013\u0002");

        assertThatThrownBy(this::messages)
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("batch message 1 asks for a delay");
    }

    private void put(int flag, String body, String properties) {
        BatchBody.encode(batch, flag, ByteBuffer.wrap(body.getBytes(UTF_8)), properties.getBytes(UTF_8));
    }

    private BatchMessages messages() {
        return new BatchMessages(batch.flip(), header(0), topic, new VirtualTime());
    }

    private NewMessage alone(int flag, String body, String properties) {
        byte[] block = properties.getBytes(UTF_8);
        return new NewMessage(
                topic,
                header(flag),
                ByteBuffer.wrap(body.getBytes(UTF_8)),
                block,
                Region.mark(block, block.length, PropertyHints.of(block)));
    }

    private static MessageHeader header(int flag) {
        return new MessageHeader(0, flag, 0, 77, HOST, HOST, 0, 0);
    }
}
