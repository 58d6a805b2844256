package io.anser.broker.timer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.SystemTopics;
import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.WireHost;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import io.anser.system.VirtualTime;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Timers whose appends end when the test says so. */
class TimersInFlightTest {
    private static final WireHost HOST = WireHost.of(new byte[] {127, 0, 0, 1}, 9876);
    private static final byte[] SCHEDULE = "SCHEDULE_TOPIC_XXXX".getBytes(UTF_8);

    private final VirtualTime time = new VirtualTime(1_000_000);
    private final BrokerState state = new BrokerState(SystemTopics.of("C", "b", 8));
    private final Map<Long, ByteBuffer> stored = new HashMap<>();
    private final Queue<Append> appended = new ArrayDeque<>();
    private final TimerDelivery delivery = new TimerDelivery(
            state, this::message, () -> Long.MAX_VALUE, topic -> 0, appended::add, time, time, Runnable::run);
    private boolean broken;

    private MessageStore store;
    private QueueLog schedule;

    @BeforeEach
    void start(@TempDir Path directory) {
        // For the handle of the queue alone; what is appended goes to the list.
        StoreSettings settings =
                StoreSettings.defaults().withDirectory(directory).withSegmentBytes(8 << 20);
        store = MessageStore.open(
                settings, new BrokerState(List.of()), (queue, from, until) -> {}, time, (where, cause) -> {
                    throw new AssertionError(where, cause);
                });
        schedule = store.queue("SCHEDULE_TOPIC_XXXX", 0);
        delivery.start();
    }

    @AfterEach
    void stop() {
        delivery.close();
        store.close();
    }

    @Test
    void aTimerThatArrivesWhileAnEarlierOneIsInFlightFires() {
        commitWaiting(1, 1_001_000);
        pass(1000);
        Append first = appended.remove();

        commitWaiting(2, 1_002_000);
        commit(first);
        pass(999);
        assertThat(appended).isEmpty();
        pass(1);

        assertThat(appended).hasSize(1);
    }

    @Test
    void aTimerInFlightIsNotFiredAgain() {
        commitWaiting(1, 1_001_000);
        pass(1000);
        commitWaiting(2, 1_000_500);
        pass(60_000);

        assertThat(appended).hasSize(2);
    }

    @Test
    void aTimerThatBreaksTheRunHoldsUpNoOther() {
        commitWaiting(1, 1_001_000);
        commitWaiting(2, 1_001_001);
        broken = true;

        assertThatThrownBy(() -> pass(1000)).hasMessage("the test's store is broken");
        broken = false;
        pass(1000);

        assertThat(appended).hasSize(1);
    }

    private Optional<ByteBuffer> message(long position) {
        if (broken) {
            throw new IllegalStateException("the test's store is broken");
        }
        return Optional.ofNullable(stored.get(position));
    }

    private void commitWaiting(long position, long dueMillis) {
        byte[] properties = ("REAL_TOPIC\u0001TBW102\u0002REAL_QID\u00010\u0002TIMER_OUT_MS\u0001" + dueMillis
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
    private void commit(Append append) {
        for (int item = 0; item < append.items(); item++) {
            ByteBuffer bytes = ByteBuffer.allocate(append.bytes(item));
            append.encode(item, bytes);
            bytes.flip();
            if (bytes.getInt(4) == 0x414E5331) {
                bytes.position(8);
                state.applyState(bytes.getShort(), bytes, 0);
            }
        }
        append.committed();
    }

    private void pass(long millis) {
        time.advance(Duration.ofMillis(millis));
    }
}
