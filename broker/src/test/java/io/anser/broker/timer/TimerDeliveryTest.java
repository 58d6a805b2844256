package io.anser.broker.timer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Change.TopicSaved;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.SystemTopics;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.WireHost;
import io.anser.store.Durability;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.system.Cancellable;
import io.anser.system.VirtualTime;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Timers over a real store, with entries that a client cannot make and a log that refuses. */
class TimerDeliveryTest {
    private static final WireHost HOST = WireHost.of(new byte[] {127, 0, 0, 1}, 9876);
    private static final long NOW = 1_000_000;
    private static final int SEGMENT_BYTES = 16 << 20;

    @TempDir
    Path directory;

    private final VirtualTime time = new VirtualTime(NOW);
    private final BrokerState state = new BrokerState(SystemTopics.of("C", "b", 8));
    private MessageStore store;
    private TimerDelivery delivery;
    private volatile boolean refusing;
    private volatile long unreadable = -1;
    private final AtomicLong passesBeforeTheAlarm = new AtomicLong();
    private final AtomicInteger arrivals = new AtomicInteger();

    @BeforeEach
    void open() {
        StoreSettings settings = StoreSettings.defaults()
                .withDirectory(directory)
                .withDurability(Durability.MEMORY)
                .withSegmentBytes(SEGMENT_BYTES);
        store = MessageStore.open(settings, state, (queue, from, until) -> arrived(), time, (where, cause) -> {
            throw new AssertionError(where, cause);
        });
        state.attach(store::queue);
        new Proposals(store::append).propose(new TopicSaved(1, new TopicConfig("T", 4, 4, 6)), Outcome.IGNORED);
        await().until(() -> state.topics().find("T").isPresent());
        delivery = new TimerDelivery(
                state,
                this::message,
                store::committedPosition,
                store::startPosition,
                this::append,
                time,
                this::alarm,
                Runnable::run);
        delivery.leads();
    }

    @AfterEach
    void close() {
        delivery.close();
        store.close();
    }

    @Test
    void anEntryForATopicThatIsGoneIsGivenUpAndBlocksNobody() throws Exception {
        schedule("REAL_TOPIC\u0001Gone\u0002REAL_QID\u00010\u0002TIMER_OUT_MS\u00011000100\u0002");
        schedule("REAL_TOPIC\u0001T\u0002REAL_QID\u00010\u0002TIMER_OUT_MS\u00011000100\u0002");

        pass(100);

        await().until(() -> delivered(0) == 1 && state.timers().size() == 0);
        assertThat(delivery.givenUp()).isEqualTo(1);
    }

    @Test
    void anEntryThatDoesNotSayItsQueueIsGivenUp() throws Exception {
        schedule("REAL_TOPIC\u0001T\u0002TIMER_OUT_MS\u00011000100\u0002");
        schedule("REAL_TOPIC\u0001T\u0002REAL_QID\u0001x\u0002TIMER_OUT_MS\u00011000100\u0002");

        pass(100);

        await().until(() -> delivery.givenUp() == 2 && state.timers().size() == 0);
        assertThat(delivered(0)).isZero();
    }

    @Test
    void anEntryWithoutATimeNeverBecomesATimer() throws Exception {
        schedule("REAL_TOPIC\u0001T\u0002REAL_QID\u00010\u0002");
        schedule("REAL_TOPIC\u0001T\u0002REAL_QID\u00010\u0002TIMER_OUT_MS\u0001soon\u0002");

        assertThat(state.timersUnreadable()).isEqualTo(2);
        assertThat(state.timers().size()).isZero();
    }

    @Test
    void aQueueThatTheTopicNoLongerHasIsFoldedIntoOneItHas() throws Exception {
        schedule("REAL_TOPIC\u0001T\u0002REAL_QID\u00016\u0002TIMER_OUT_MS\u00011000100\u0002");

        pass(100);

        await().until(() -> delivered(2) == 1);
    }

    @Test
    void whileTheLogRefusesTimersWaitAndAreThenDeliveredOnce() throws Exception {
        schedule("REAL_TOPIC\u0001T\u0002REAL_QID\u00010\u0002TIMER_OUT_MS\u00011000100\u0002");
        refusing = true;
        pass(5000);
        assertThat(state.timers().size()).isEqualTo(1);

        refusing = false;
        pass(1000);

        await().until(() -> delivered(0) == 1 && state.timers().size() == 0);
        pass(10_000);
        assertThat(delivered(0)).isEqualTo(1);
    }

    @Test
    void anEntryThatCannotBeReadBlocksNobodyAndIsTriedAgain() throws Exception {
        unreadable = schedule("REAL_TOPIC\u0001T\u0002REAL_QID\u00010\u0002TIMER_OUT_MS\u00011000050\u0002");
        schedule("REAL_TOPIC\u0001T\u0002REAL_QID\u00011\u0002TIMER_OUT_MS\u00011000100\u0002");

        pass(100);
        await().until(() -> delivered(1) == 1);
        assertThat(delivered(0)).isZero();

        unreadable = -1;
        pass(1000);
        await().until(() -> delivered(0) == 1);
    }

    @Test
    void theDeliveredMessageIsTheOneThatWaitedWithoutTheMarks() throws Exception {
        schedule("KEYS\u0001k\u0002DELAY\u00011\u0002REAL_TOPIC\u0001T\u0002REAL_QID\u00010\u0002"
                + "TIMER_OUT_MS\u00011000100\u0002");

        pass(100);
        await().until(() -> delivered(0) == 1);

        QueueCursor cursor = new QueueCursor();
        assertThat(cursor.seek(store.queue("T", 0), 0)).isTrue();
        ByteBuffer bytes = store.message(cursor.position()).orElseThrow();
        MessageView message = new MessageView().wrap(bytes, bytes.position());
        assertThat(new String(message.properties(), UTF_8)).isEqualTo("KEYS\u0001k\u0002");
        assertThat(message.reconsumeTimes()).isEqualTo(3);
        assertThat(message.bornTimestamp()).isEqualTo(77);
        assertThat(message.flag()).isEqualTo(5);
    }

    @Test
    void anEntryThatFallsDueWhileItsAlarmIsSetIsDelivered() throws Exception {
        passesBeforeTheAlarm.set(100);

        schedule("REAL_TOPIC\u0001T\u0002REAL_QID\u00010\u0002TIMER_OUT_MS\u00011000100\u0002");

        await().until(() -> delivered(0) == 1);
    }

    private void arrived() {
        if (delivery != null) {
            delivery.committed();
        }
        arrivals.incrementAndGet();
    }

    /** Sets an alarm; time may pass between the look at the clock and that. */
    private Cancellable alarm(long delayMillis, Runnable task) {
        pass(passesBeforeTheAlarm.getAndSet(0));
        return time.schedule(delayMillis, task);
    }

    private Optional<ByteBuffer> message(long position) {
        if (position == unreadable) {
            throw new StoreException(StoreException.Kind.IO, "the test's disk is broken");
        }
        return store.message(position);
    }

    private void append(Append append) {
        if (refusing) {
            throw new StoreException(StoreException.Kind.BUSY, "the test's log is busy");
        }
        store.append(append);
    }

    private long delivered(int queueId) {
        return store.queue("T", queueId).maxOffset();
    }

    private void pass(long millis) {
        time.advance(Duration.ofMillis(millis));
    }

    private long schedule(String properties) throws Exception {
        Scheduled scheduled = new Scheduled(store.queue("SCHEDULE_TOPIC_XXXX", 0), properties.getBytes(UTF_8));
        int before = arrivals.get();
        store.append(scheduled);
        await().until(() -> arrivals.get() > before);
        return scheduled.stored.get(30, TimeUnit.SECONDS);
    }

    /** A message put into the schedule topic past all checks. */
    private static final class Scheduled extends Append {
        private static final byte[] TOPIC = "SCHEDULE_TOPIC_XXXX".getBytes(UTF_8);

        private final QueueLog queue;
        private final byte[] properties;
        private final CompletableFuture<Long> stored = new CompletableFuture<>();

        Scheduled(QueueLog queue, byte[] properties) {
            this.queue = queue;
            this.properties = properties;
        }

        @Override
        public int items() {
            return 1;
        }

        @Override
        public QueueLog queue(int item) {
            return queue;
        }

        @Override
        public int bytes(int item) {
            return MessageEncoder.encodedBytes(TOPIC.length, 1, properties.length, false, false);
        }

        @Override
        public void encode(int item, ByteBuffer target) {
            MessageHeader header = new MessageHeader(0, 5, 0, 77, HOST, HOST, 3, 0);
            MessageEncoder.encode(target, header, TOPIC, ByteBuffer.wrap(new byte[] {1}), properties);
        }

        @Override
        public void committed() {
            stored.complete(position(0));
        }

        @Override
        public void failed(StoreException reason) {
            stored.completeExceptionally(reason);
        }
    }
}
