package io.anser.broker.timer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Change.KeyTaken;
import io.anser.broker.metadata.DedupKey;
import io.anser.broker.metadata.KeyedMessage;
import io.anser.broker.metadata.PendingTimer;
import io.anser.broker.metadata.SystemTopics;
import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.RecallHandle;
import io.anser.protocol.message.WireHost;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.file.StoreException;
import io.anser.store.file.StoreException.Kind;
import io.anser.store.key.KeyQuery;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import io.anser.store.retention.CarryOver;
import io.anser.store.state.StateChange;
import io.anser.system.VirtualTime;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recalls beside a delivery, over a log that answers when the test says so. */
class RecallsTest {
    private static final WireHost HOST = WireHost.of(new byte[] {127, 0, 0, 1}, 9876);
    private static final byte[] SCHEDULE = "SCHEDULE_TOPIC_XXXX".getBytes(UTF_8);
    private static final long DUE = 1_005_000;

    private final VirtualTime time = new VirtualTime(1_000_000);
    private final BrokerState state = new BrokerState(SystemTopics.of("C", "b", 8));
    private final Map<Long, ByteBuffer> stored = new HashMap<>();
    private final List<String> delivered = new ArrayList<>();
    private final Queue<Append> appended = new ArrayDeque<>();
    private final List<String> answers = new ArrayList<>();
    private final TimerDelivery delivery = new TimerDelivery(
            state,
            position -> Optional.ofNullable(stored.get(position)),
            () -> Long.MAX_VALUE,
            topic -> 0,
            appended::add,
            time,
            time,
            Runnable::run);
    private final Recalls recalls = delivery.recalls(this::find);

    private boolean indexFails;
    private long waitingUntil;
    private MessageStore store;
    private QueueLog schedule;

    @BeforeEach
    void start(@TempDir Path directory) {
        StoreSettings settings =
                StoreSettings.defaults().withDirectory(directory).withSegmentBytes(8 << 20);
        // For the handles of queues; what is appended goes to the list.
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

    @Test
    void aRecallThatComesFirstWins() {
        waits(1, "u");
        recall("u", 1);
        time.advance(Duration.ofSeconds(10));
        assertThat(appended).as("the recall, and no delivery").hasSize(1);

        commit(appended.remove());

        assertThat(answers).containsExactly("recalled");
        assertThat(delivered).isEmpty();
        assertThat(state.timers().size()).isZero();
    }

    @Test
    void aDeliveryThatComesFirstWinsAndTheRecallWaitsForIt() {
        waits(1, "u");
        time.advance(Duration.ofSeconds(5));
        recall("u", 1);
        assertThat(answers).isEmpty();

        commit(appended.remove());
        time.advance(Duration.ofMillis(Recalls.RETRY_MILLIS));

        assertThat(answers).containsExactly("refused 604 message=u was delivered already");
        assertThat(delivered).containsExactly("u");
    }

    @Test
    void aDeliveryThatFailsIsOvertakenByTheRecall() {
        waits(1, "u");
        time.advance(Duration.ofSeconds(5));
        recall("u", 1);
        appended.remove().failed(new StoreException(Kind.BUSY, "log busy"));

        time.advance(Duration.ofMillis(Recalls.RETRY_MILLIS));
        commit(appended.remove());

        assertThat(answers).containsExactly("recalled");
        time.advance(Duration.ofSeconds(10));
        assertThat(appended).isEmpty();
        assertThat(delivered).isEmpty();
    }

    @Test
    void aDeliveryThatDoesNotEndIsToldInTheEnd() {
        waits(1, "u");
        time.advance(Duration.ofSeconds(5));
        recall("u", 1);

        time.advance(Duration.ofMillis(Recalls.RETRY_MILLIS * (Recalls.RETRIES_MAX + 1)));

        assertThat(answers).containsExactly("refused 2 the message is on its way, try again later");
    }

    @Test
    void aRecallThatTheLogRefusesLeavesTheMessageToBeDelivered() {
        waits(1, "u");
        recall("u", 1);
        time.advance(Duration.ofSeconds(6));
        appended.remove().failed(new StoreException(Kind.BUSY, "log busy"));

        assertThat(answers).containsExactly("refused 2 log busy");
        commit(appended.remove());
        assertThat(delivered).containsExactly("u");
    }

    /** RocketMQ issue 7991: what had been rolled an odd number of times could not be recalled. */
    @Test
    void aMessageThatWasAppendedAgainIsFoundWithTheOldHandle() {
        waits(1, "u");
        waits(2, "other");
        delivery.carryOver().carryOver(7, CARRIED);
        while (!appended.isEmpty()) {
            commit(appended.remove());
        }
        assertThat(state.timers().all()).extracting(PendingTimer::position).allMatch(position -> position > 2);
        stored.remove(1L);

        recall("u", 1);
        commit(appended.remove());

        assertThat(answers).containsExactly("recalled");
        time.advance(Duration.ofSeconds(10));
        commit(appended.remove());
        assertThat(delivered).containsExactly("other");
    }

    /** The key was known by the place where the message lay first. */
    @Test
    void theKeyOfAMessageThatWasAppendedAgainIsFreeWhenThatIsRecalled() {
        DedupKey key = new DedupKey(1, 2);
        KeyTaken taken = new KeyTaken(key, 0, 60_000);
        state.applyState(
                taken.kind(), ByteBuffer.wrap(taken.payload()), 500 - StateChange.bytes(taken.payload().length));
        waits(500, "u");
        delivery.carryOver().carryOver(600, CARRIED);
        commit(appended.remove());
        assertThat(state.dedup().find(key, 1000).map(KeyedMessage::position)).contains(1_001L);

        recall("u", 500);
        commit(appended.remove());

        assertThat(answers).containsExactly("recalled");
        assertThat(state.dedup().find(key, 1000)).isEmpty();
    }

    @Test
    void recallsThatFillTheTableOfWhatIsInFlightHoldNothingUp() {
        for (int i = 1; i <= TimerDelivery.MAX_IN_FLIGHT; i++) {
            waits(i, "u" + i);
            recall("u" + i, i);
        }
        waits(5_000, "other");
        time.advance(Duration.ofSeconds(6));
        assertThat(appended).as("recalls, and no delivery").hasSize(TimerDelivery.MAX_IN_FLIGHT);

        while (!appended.isEmpty()) {
            commit(appended.remove());
        }

        assertThat(delivered).containsExactly("other");
    }

    @Test
    void aRecallThatCannotLookForCopiesIsRefused() {
        waits(1, "u");
        indexFails = true;

        recall("u", 1);

        assertThat(answers).containsExactly("refused 2 index busy");
        assertThat(appended).isEmpty();
    }

    @Test
    void aMessageThatIsSentAgainForAnotherTimeIsNotTakenForTheRecalledOne() {
        waits(1, "u");
        recall("u", 1);
        commit(appended.remove());
        recall("u", 1);
        delivered.add("u");

        recalls.recall(new RecallHandle("TBW102", "b", DUE + 1, "u", 9), asker());

        assertThat(answers).containsExactly("recalled", "recalled", "refused 604 message=u was delivered already");
    }

    @Test
    void whatIsNotKnownIsLookedForTwice() {
        recall("never", 1);
        assertThat(answers).isEmpty();

        time.advance(Duration.ofMillis(Recalls.RETRY_MILLIS));

        assertThat(answers)
                .containsExactly("refused 22 message=never is not known, neither as waiting nor as delivered");
    }

    private static final CarryOver.End CARRIED = new CarryOver.End() {
        @Override
        public void free() {}

        @Override
        public void kept(String reason) {
            throw new AssertionError(reason);
        }
    };

    private void recall(String uniqueId, long position) {
        recalls.recall(new RecallHandle("TBW102", "b", DUE, uniqueId, position), asker());
    }

    private Recalls.Asker asker() {
        return new Recalls.Asker() {
            @Override
            public void recalled() {
                answers.add("recalled");
            }

            @Override
            public void refused(Refusal reason) {
                answers.add("refused " + reason.code() + " " + reason.remark());
            }

            @Override
            public void broken(Throwable thrown) {
                throw new AssertionError(thrown);
            }
        };
    }

    /** The index of keys knows what was delivered, and nothing of what waits, as if that had expired. */
    private List<ByteBuffer> find(KeyQuery query) {
        if (indexFails) {
            throw new StoreException(Kind.BUSY, "index busy");
        }
        return query.topic().equals("TBW102") && delivered.contains(query.key())
                ? List.of(ByteBuffer.allocate(0))
                : List.of();
    }

    private void waits(long position, String uniqueId) {
        byte[] properties = ("REAL_TOPIC\u0001TBW102\u0002REAL_QID\u00010\u0002UNIQ_KEY\u0001" + uniqueId
                        + "\u0002TIMER_OUT_MS\u0001" + DUE + "\u0002")
                .getBytes(UTF_8);
        ByteBuffer body = ByteBuffer.wrap("late".getBytes(UTF_8));
        ByteBuffer message =
                ByteBuffer.allocate(MessageEncoder.encodedBytes(SCHEDULE.length, 4, properties.length, false, false));
        MessageEncoder.encode(message, new MessageHeader(0, 0, 0, 0, HOST, HOST, 0, 0), SCHEDULE, body, properties);
        applyWaiting(message.flip(), position);
    }

    private void applyWaiting(ByteBuffer message, long position) {
        stored.put(position, message);
        waitingUntil = position + message.limit();
        state.applyMessage(schedule, position, position, message.limit(), 0, 0, message);
        delivery.committed();
    }

    private void commit(Append append) {
        for (int item = 0; item < append.items(); item++) {
            ByteBuffer bytes = ByteBuffer.allocate(append.bytes(item));
            append.encode(item, bytes);
            bytes.flip();
            if (bytes.getInt(4) == 0x414E5331) {
                bytes.position(8);
                state.applyState(
                        bytes.getShort(), bytes, waitingUntil); // behind the message of its unit, if that waits
            } else {
                MessageView message = new MessageView().wrap(bytes, 0);
                if (message.topic().equals("SCHEDULE_TOPIC_XXXX")) {
                    applyWaiting(bytes, 1_000 + stored.size());
                } else {
                    delivered.add(message.property("UNIQ_KEY").orElseThrow());
                }
            }
        }
        append.committed();
    }
}
