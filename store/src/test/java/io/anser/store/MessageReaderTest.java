package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageView;
import io.anser.store.file.FaultyStorage;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.TopicDrop;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MessageReaderTest {
    private final HandDriven store = HandDriven.open(new FaultyStorage());
    private final QueueLog queue = store.queue(0);

    @Test
    void readsAMessageOnlyWhereItStarts() {
        TestUnit unit = TestUnit.message(queue, "one");
        store.commit(unit);
        long position = unit.position(0);

        assertThat(readable(position)).isPresent();
        for (long at = 0; at < store.parts.marks().committed() + 100; at++) {
            assertThat(readable(at).isPresent()).as("position %d", at).isEqualTo(at == position);
        }
        assertThat(readable(-1)).isEmpty();
        assertThat(readable(Long.MAX_VALUE)).isEmpty();
    }

    @Test
    void aBodyThatLooksLikeAMessageIsNone() {
        TestUnit first = bytesUnit(0);
        TestUnit second = bytesUnit(0);
        store.commit(first);
        store.commit(second);
        long next = 2 * second.position(0) - first.position(0);
        TestUnit forged = bytesUnit(next);
        store.commit(forged);
        assertThat(forged.position(0)).isEqualTo(next);

        long inside = bodyPosition(next);
        MessageView view = new MessageView().wrap(store.parts.log().slice(inside, 91 + 1 + 1), 0);

        assertThat(view.physicalOffset()).isEqualTo(inside);
        assertThat(store.parts.messages().committed(inside)).isPresent();
        assertThat(readable(inside)).isEmpty();
        assertThat(readable(next)).isPresent();
    }

    @Test
    void aMessageOfADroppedTopicIsGone() {
        TestUnit unit = TestUnit.message(queue, "one");
        store.commit(unit);
        store.commit(TestUnit.state(TopicDrop.KIND, "T"));

        assertThat(readable(unit.position(0))).isEmpty();
    }

    private Optional<ByteBuffer> readable(long position) {
        return store.parts.messages().readable(position, new QueueCursor());
    }

    /** A message whose body is a whole message that claims to be at the body's own place if the message is at a position. */
    private TestUnit bytesUnit(long position) {
        byte[] topic = "T".getBytes(StandardCharsets.UTF_8);
        ByteBuffer body = ByteBuffer.allocate(MessageEncoder.encodedBytes(1, 1, 0, false, false));
        MessageHeader header = new MessageHeader(0, 0, 0, 1_000, TestUnit.HOST, TestUnit.HOST, 0, 0);
        MessageEncoder.encode(body, header, topic, ByteBuffer.wrap(new byte[] {7}), new byte[0]);
        MessageEncoder.patch(body, 0, 2, bodyPosition(position), 1_000);
        return new TestUnit().andBytes(queue, body.array());
    }

    /** The fixed part of a message without IPv6 addresses is 88 bytes up to the body. */
    private static long bodyPosition(long position) {
        return position + 88;
    }
}
