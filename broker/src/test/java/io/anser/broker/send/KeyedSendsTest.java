package io.anser.broker.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.metadata.Appender;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Change.KeyTaken;
import io.anser.broker.metadata.DedupKey;
import io.anser.broker.metadata.KeyedMessage;
import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.WireHost;
import io.anser.store.Durability;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import io.anser.system.VirtualTime;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store is real; the way to it can be held up. */
class KeyedSendsTest {
    private static final int WINDOW_MILLIS = 1000;
    private static final WireHost HOST = WireHost.of(new byte[] {127, 0, 0, 1}, 9876);

    private final VirtualTime time = new VirtualTime(1_000_000);
    private final Gate gate = new Gate();
    private BrokerState state;
    private MessageStore store;
    private QueueLog queue;
    private KeyedSends sends;

    @BeforeEach
    void open(@TempDir Path directory) {
        StoreSettings settings = StoreSettings.defaults()
                .withDirectory(directory)
                .withDurability(Durability.MEMORY)
                .withSegmentBytes(8 << 20);
        state = new BrokerState(List.of());
        store = MessageStore.open(settings, state, (arrivals, from, until) -> {}, time, (where, cause) -> {
            throw new AssertionError(where, cause);
        });
        queue = store.queue("Orders", 0);
        sends = new KeyedSends(state.dedup(), gate, time);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void sendOfWhatIsInFlightWaitsForTheSameAnswer() throws Exception {
        gate.hold();
        Answer first = send(1);
        Answer second = send(1);
        assertThat(gate.held).hasSize(1);
        assertThat(second.message).isNotDone();

        gate.open();

        assertThat(second.await()).isEqualTo(first.await());
        assertThat(first.repeated).isFalse();
        assertThat(second.repeated).isTrue();
        assertThat(queue.maxOffset()).isEqualTo(1);
    }

    @Test
    void sendOfWhatIsStoredHearsWhereItIsUntilTheWindowIsOver() throws Exception {
        Answer first = send(1);
        first.await();
        time.advance(Duration.ofMillis(WINDOW_MILLIS - 1));
        Answer second = send(1);

        assertThat(second.await()).isEqualTo(first.await());
        assertThat(second.repeated).isTrue();
        time.advance(Duration.ofMillis(1));
        Answer third = send(1);
        assertThat(third.await().queueOffset()).isEqualTo(1);
        assertThat(third.repeated).isFalse();
    }

    @Test
    void otherKeysAreStored() throws Exception {
        send(1).await();

        assertThat(send(2).await().queueOffset()).isEqualTo(1);
        assertThat(state.dedup().size()).isEqualTo(2);
    }

    @Test
    void failureOfTheFirstIsThatOfAllWhoWaitAndTheKeyIsFreeAgain() throws Exception {
        gate.hold();
        Answer first = send(1);
        Answer second = send(1);

        gate.fail();

        assertThat(first.message).isCompletedExceptionally();
        assertThat(second.message).isCompletedExceptionally();
        Answer third = send(1);
        assertThat(third.await().queueOffset()).isZero();
        assertThat(third.repeated).isFalse();
    }

    @Test
    void refusalByTheLogLeavesTheKeyFree() throws Exception {
        gate.refusing = true;
        assertThat(send(1).message).isCompletedExceptionally();
        gate.refusing = false;

        assertThat(send(1).await().queueOffset()).isZero();
    }

    @Test
    void tooManyWaitingForOneAreRefused() {
        gate.hold();
        List<Answer> answers = IntStream.rangeClosed(0, KeyedAppend.MAX_WAITING + 1)
                .mapToObj(i -> send(1))
                .toList();

        assertThat(answers.get(KeyedAppend.MAX_WAITING).message).isNotDone();
        assertThat(answers.get(KeyedAppend.MAX_WAITING + 1).message).isCompletedExceptionally();
        gate.open();
    }

    @Test
    void threadsThatSendTheSameMessagesStoreEachOnce() throws Exception {
        int keys = 300;
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<CompletableFuture<List<Answer>>> senders = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                senders.add(CompletableFuture.supplyAsync(
                        () -> IntStream.range(0, keys).mapToObj(this::send).toList(), threads));
            }
            List<Answer> firstSender = senders.get(0).get(30, TimeUnit.SECONDS);
            for (CompletableFuture<List<Answer>> sender : senders) {
                List<Answer> answers = sender.get(30, TimeUnit.SECONDS);
                for (int key = 0; key < keys; key++) {
                    assertThat(answers.get(key).await())
                            .isEqualTo(firstSender.get(key).await());
                }
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(queue.maxOffset()).isEqualTo(keys);
    }

    @Test
    void bodyIsReleasedHoweverTheSendEnds() throws Exception {
        List<Answer> answers = List.of(send(1), send(1), send(2));
        for (Answer answer : answers) {
            answer.await();
        }
        gate.hold();
        Answer failed = send(3);
        gate.fail();

        assertThat(answers).allMatch(answer -> answer.body.refCnt() == 1);
        assertThat(failed.body.refCnt()).isEqualTo(1);
    }

    private Answer send(int key) {
        Answer answer = new Answer();
        KeyTaken taken = new KeyTaken(new DedupKey(key, key), 0, WINDOW_MILLIS);
        sends.send(new KeyedAppend(taken, new Text("m" + key), answer.body, answer));
        return answer;
    }

    /** The way to the store. */
    private final class Gate implements Appender {
        private final List<Append> held = new ArrayList<>();
        private boolean holding;
        private boolean refusing;

        @Override
        public void append(Append append) {
            if (refusing) {
                throw new StoreException(StoreException.Kind.BUSY, "busy");
            }
            if (holding) {
                held.add(append);
            } else {
                store.append(append);
            }
        }

        void hold() {
            holding = true;
        }

        void open() {
            holding = false;
            held.forEach(store::append);
        }

        void fail() {
            holding = false;
            held.forEach(append -> append.failed(new StoreException(StoreException.Kind.IO, "lost")));
        }
    }

    /** What a sender hears. */
    private static final class Answer implements SendReply {
        private final ByteBuf body = Unpooled.copiedBuffer(new byte[] {1});
        private final CompletableFuture<KeyedMessage> message = new CompletableFuture<>();
        private volatile boolean repeated;

        @Override
        public void stored(KeyedMessage stored) {
            message.complete(stored);
        }

        @Override
        public void repeated(KeyedMessage first) {
            repeated = true;
            message.complete(first);
        }

        @Override
        public void refused(StoreException reason) {
            message.completeExceptionally(reason);
        }

        KeyedMessage await() throws Exception {
            return message.get(30, TimeUnit.SECONDS);
        }
    }

    /** One message with a short body. */
    private final class Text implements SentMessages {
        private final byte[] topic = queue.topic().getBytes(StandardCharsets.UTF_8);
        private final byte[] body;

        Text(String body) {
            this.body = body.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public int count() {
            return 1;
        }

        @Override
        public QueueLog queue() {
            return queue;
        }

        @Override
        public int bytes(int item) {
            return MessageEncoder.encodedBytes(topic.length, body.length, 0, false, false);
        }

        @Override
        public void encode(int item, ByteBuffer target) {
            MessageHeader header = new MessageHeader(0, 0, 0, 0, HOST, HOST, 0, 0);
            MessageEncoder.encode(target, header, topic, ByteBuffer.wrap(body), new byte[0]);
        }
    }
}
