package io.anser.broker.metadata;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.WireHost;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.HeldState;
import io.anser.system.VirtualTime;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The latest values of all queues, and what a snapshot has of them. */
class LatestValuesTest {
    private static final int MANY = 100_000;
    private static final long HOLD_BYTES_MAX = 100_000;
    private static final WireHost HOST = WireHost.of(new byte[] {127, 0, 0, 1}, 9876);

    private final LatestValues values = new LatestValues();
    private MessageStore store;
    private long nextPosition = 1_000;

    @BeforeEach
    void open(@TempDir Path directory) {
        // For the handles of queues.
        store = MessageStore.open(
                StoreSettings.defaults().withDirectory(directory).withSegmentBytes(8 << 20),
                new BrokerState(List.of()),
                (queue, from, until) -> {},
                new VirtualTime(0),
                (where, cause) -> {
                    throw new AssertionError(where, cause);
                });
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aHoldTellsWhatWasTheLatestThenWhateverComesLater() throws IOException {
        put("C", 1, "b", 0, "b1");
        put("C", 0, "a", 0, "a1");
        put("C", 0, "b", 1, "b1");
        put("D", 0, "a", 0, "a1");
        HeldState held = values.hold();
        put("C", 0, "a", 2, "a2");
        put("C", 0, "b", 3, "");
        values.forgetTopic("D");
        put("E", 0, "a", 0, "a1");

        LatestValues then = reread(held);
        LatestValues now = reread(values.hold());

        assertThat(then.size()).isEqualTo(4);
        assertThat(positions(then)).containsExactlyInAnyOrder(1_000L, 2_000L, 3_000L, 4_000L);
        assertThat(now.size()).isEqualTo(3);
        assertThat(positions(now)).containsExactlyInAnyOrder(1_000L, 5_000L, 7_000L);
        assertThat(now.contains("C", 0, "a".getBytes(UTF_8), 0, 1)).isTrue();
        assertThat(now.contains("C", 0, "b".getBytes(UTF_8), 0, 1)).isFalse();
    }

    /** The committing thread stands still meanwhile. */
    @Test
    void theHoldOfManyValuesCopiesNone() throws IOException {
        for (int i = 0; i < MANY; i++) {
            put("C", 0, Integer.toString(i), i, "v");
        }
        assertThat(values.size()).isEqualTo(MANY);

        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(id);
        HeldState held = values.hold();
        assertThat(threads.getThreadAllocatedBytes(id) - before).isLessThan(HOLD_BYTES_MAX);
        assertThat(reread(held).size()).isEqualTo(MANY);
    }

    @Test
    void aLostValueIsForgottenUnlessItLiesSomewhereElseOrWasOvertaken() throws IOException {
        put("C", 0, "a", 0, "a1");
        put("C", 0, "b", 1, "b1");
        put("C", 0, "b", 2, "b2");
        values.apply(new ValueLost("C", 0, 0, 999));
        values.apply(new ValueLost("C", 0, 1, 2_000));
        values.apply(new ValueLost("D", 0, 0, 1_000));
        assertThat(positions(values)).containsExactly(1_000L, 3_000L);

        values.apply(new ValueLost("C", 0, 0, 1_000));

        assertThat(positions(values)).containsExactly(3_000L);
        assertThat(values.size()).isEqualTo(1);
        assertThat(values.contains("C", 0, "a".getBytes(UTF_8), 0, 1)).isFalse();
        assertThat(positions(reread(values.hold()))).containsExactly(3_000L);
    }

    private static List<Long> positions(LatestValues of) {
        return of.before(Long.MAX_VALUE).stream().map(LatestValue::position).toList();
    }

    private void put(String topic, int queueId, String key, long offset, String body) {
        byte[] properties = ("KEYS\u0001" + key + "\u0002").getBytes(UTF_8);
        byte[] name = topic.getBytes(UTF_8);
        byte[] text = body.getBytes(UTF_8);
        ByteBuffer message = ByteBuffer.allocate(
                MessageEncoder.encodedBytes(name.length, text.length, properties.length, false, false));
        MessageEncoder.encode(
                message,
                new MessageHeader(queueId, 0, 0, 0, HOST, HOST, 0, 0),
                name,
                ByteBuffer.wrap(text),
                properties);
        QueueLog queue = store.queue(topic, queueId);
        message.flip();
        values.message(queue, offset, nextPosition, message.limit(), 0, new MessageView().wrap(message, 0));
        nextPosition += 1_000;
    }

    private static LatestValues reread(HeldState held) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        held.write(new DataOutputStream(bytes));
        LatestValues read = new LatestValues();
        read.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
        return read;
    }
}
