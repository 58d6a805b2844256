package io.anser.broker.timer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.SystemTopics;
import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.WireHost;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import io.anser.system.VirtualTime;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A delivery of delayed messages whose appends wait in a list, and end when the test says so. */
abstract class HandDrivenTimers {
    private static final WireHost HOST = WireHost.of(new byte[] {127, 0, 0, 1}, 9876);
    private static final byte[] SCHEDULE = "SCHEDULE_TOPIC_XXXX".getBytes(UTF_8);
    private static final int STATE_CHANGE_MAGIC = 0x414E5331;

    final VirtualTime time = new VirtualTime(1_000_000);
    final BrokerState state = new BrokerState(SystemTopics.of("C", "b", 8));
    final Map<Long, ByteBuffer> stored = new HashMap<>();
    final Queue<Append> appended = new ArrayDeque<>();
    final TimerDelivery delivery = new TimerDelivery(
            state, this::message, () -> Long.MAX_VALUE, topic -> 0, this::append, time, time, Runnable::run);

    /** Where reading a message ends with an exception that nobody expects. */
    LongPredicate broken = position -> false;

    /** Whether what is appended is committed at once. */
    boolean committing;

    /** Topics whose messages are refused, and how. */
    final Map<String, StoreException.Kind> refusals = new HashMap<>();

    /** How many messages were refused. */
    int refused;

    /** What happens, once, while a message is read. */
    Runnable whileReading = () -> {};

    MessageStore store;
    private QueueLog schedule;

    @BeforeEach
    void start(@TempDir Path directory) {
        StoreSettings settings =
                StoreSettings.defaults().withDirectory(directory).withSegmentBytes(8 << 20);
        // For the handles of queues; what the delivery appends goes to the list.
        store = MessageStore.open(
                settings, new BrokerState(List.of()), (queue, from, until) -> {}, time, (where, cause) -> {
                    throw new AssertionError(where, cause);
                });
        state.attach(store::queue);
        schedule = store.queue("SCHEDULE_TOPIC_XXXX", 0);
        delivery.leads();
    }

    @AfterEach
    void stop() {
        delivery.close();
        store.close();
    }

    private void append(Append append) {
        QueueLog queue = append.queue(0);
        Optional<StoreException.Kind> refusal =
                queue == null ? Optional.empty() : Optional.ofNullable(refusals.get(queue.topic()));
        if (refusal.isPresent()) {
            refused++;
            append.failed(new StoreException(refusal.get(), "refused by the test"));
        } else if (committing) {
            commit(append);
        } else {
            appended.add(append);
        }
    }

    private Optional<ByteBuffer> message(long position) {
        Runnable meanwhile = whileReading;
        whileReading = () -> {};
        meanwhile.run();
        if (broken.test(position)) {
            throw new IllegalStateException("the test's store is broken");
        }
        return Optional.ofNullable(stored.get(position));
    }

    /** Commits a message that waits. */
    void commitWaiting(long position, long dueMillis) {
        commitWaiting("TBW102", position, dueMillis);
    }

    void commitWaiting(String topic, long position, long dueMillis) {
        byte[] properties = ("REAL_TOPIC\u0001" + topic + "\u0002REAL_QID\u00010\u0002TIMER_OUT_MS\u0001" + dueMillis
                        + "\u0002")
                .getBytes(UTF_8);
        ByteBuffer body = ByteBuffer.wrap("late".getBytes(UTF_8));
        int bytes = MessageEncoder.encodedBytes(SCHEDULE.length, 4, properties.length, false, false);
        ByteBuffer message = ByteBuffer.allocate(bytes);
        MessageEncoder.encode(message, new MessageHeader(0, 0, 0, 0, HOST, HOST, 0, 0), SCHEDULE, body, properties);
        message.flip();
        stored.put(position, message);
        state.applyMessage(schedule, position, position, bytes, 0, 0, message);
        delivery.committed();
    }

    /** Applies the state changes of a unit and tells it. */
    void commit(Append append) {
        for (int item = 0; item < append.items(); item++) {
            ByteBuffer bytes = ByteBuffer.allocate(append.bytes(item));
            append.encode(item, bytes);
            bytes.flip();
            if (bytes.getInt(4) == STATE_CHANGE_MAGIC) {
                bytes.position(8);
                state.applyState(bytes.getShort(), bytes, 0);
            } else {
                check(bytes);
            }
        }
        append.committed();
    }

    /** Sees each message that {@link #commit} commits. */
    void check(ByteBuffer message) {}
}
