package io.anser.broker.pull;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.filter.Filters;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.pull.PullResult.Status;
import io.anser.broker.read.ColdReads;
import io.anser.broker.read.WarmPart;
import io.anser.broker.testing.StoredMessage;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueCursor;
import io.anser.system.VirtualTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages that this process has neither written nor read, pulled after a start. */
class ColdPullTest {
    private static final int MESSAGES = 10;

    @TempDir
    private Path directory;

    private final Queue<Runnable> handedOver = new ArrayDeque<>();
    private final List<Long> positions = new ArrayList<>();
    private MessageStore store;
    private QueueReader reader;
    private final List<PullResult> read = new ArrayList<>();

    @BeforeEach
    void writeAndStartAgain() throws Exception {
        try (MessageStore first = open()) {
            for (int i = 0; i < MESSAGES; i++) {
                StoredMessage message = StoredMessage.of(first.queue("Orders", 0), "body-" + i, i == 7 ? "red" : "");
                first.append(message);
                message.await();
                QueueCursor cursor = new QueueCursor();
                cursor.seek(first.queue("Orders", 0), i);
                positions.add(cursor.position());
            }
        }
    }

    @AfterEach
    void close() {
        read.forEach(result -> result.messages().release());
        store.close();
    }

    private PullResult read(PullQuery query) {
        PullResult result = reader.read(query);
        read.add(result);
        return result;
    }

    private PullResult readWaiting(PullQuery query) {
        PullResult result = reader.readWaiting(query);
        read.add(result);
        return result;
    }

    private MessageStore open() {
        StoreSettings settings =
                StoreSettings.defaults().withDirectory(directory).withSegmentBytes(8 << 20);
        return MessageStore.open(
                settings,
                new BrokerState(List.of()),
                (arrivals, from, until) -> {},
                new VirtualTime(),
                (where, cause) -> {
                    throw new AssertionError(where, cause);
                });
    }

    private void start() {
        store = open();
        reader = new QueueReader(store, 100, () -> false);
    }

    @Test
    void theEventLoopLeavesThemToAWorkerWhichChecksThem() {
        start();
        assertThat(read(query(0, "*")).status()).isEqualTo(Status.COLD);

        Answer answer = new Answer();
        new ColdReads(handedOver::add).add(new ColdPull(reader, answer, query(0, "*")));
        assertThat(answer.results).isEmpty();
        handedOver.remove().run();

        assertThat(answer.results.get(0).count()).isEqualTo(MESSAGES);
        assertThat(read(query(0, "*")).status()).isEqualTo(Status.FOUND);
        assertThat(read(query(3, "*")).count()).isEqualTo(7);
    }

    @Test
    void aDamagedMessageIsPassedOverAndTheRestIsDelivered() throws Exception {
        damage(4);
        damage(9);
        start();

        PullResult result = readWaiting(query(0, "*"));

        assertThat(result.count()).isEqualTo(8);
        assertThat(result.nextOffset()).isEqualTo(MESSAGES);
        assertThat(store.damage()).hasSize(2);
        assertThat(read(query(4, "*")).count()).isEqualTo(4);
        PullResult last = read(query(9, "*"));
        assertThat(last.status()).isEqualTo(Status.NONE_MATCHED);
        assertThat(last.nextOffset()).isEqualTo(MESSAGES);
    }

    @Test
    void whatTheFilterDoesNotWantIsNotReadBeforeTheWorkerIsAsked() {
        start();
        PullResult result = read(query(0, "red"));

        assertThat(result.status()).isEqualTo(Status.COLD);
        assertThat(result.nextOffset()).isEqualTo(7);
    }

    @Test
    void whatIsInMemoryNeedsNoWorkerHoweverFarBehindItIs() throws Exception {
        start();
        StoredMessage far = StoredMessage.of(store.queue("Orders", 1), "far", "");
        store.append(far);
        far.await();
        String body = "x".repeat(2 << 20);
        for (long written = 0; written <= WarmPart.WARM_LOG_BYTES; written += body.length()) {
            StoredMessage message = StoredMessage.of(store.queue("Orders", 2), body, "");
            store.append(message);
            message.await();
        }

        PullResult result = read(new PullQuery(store.queue("Orders", 1), 0, 32, 1 << 20, new Filters().of("TAG", "*")));

        assertThat(result.status()).isEqualTo(Status.FOUND);
        assertThat(result.count()).isEqualTo(1);
    }

    @Test
    void aPullThatIsOneTooManyIsRefused() {
        start();
        Executor busy = task -> {
            throw new RejectedExecutionException();
        };
        Answer answer = new Answer();

        new ColdReads(busy).add(new ColdPull(reader, answer, query(0, "*")));

        assertThat(answer.failures).extracting(StoreException::kind).containsExactly(StoreException.Kind.BUSY);
        assertThat(answer.results).isEmpty();
    }

    private void damage(int message) throws Exception {
        Path file = directory.resolve("log/00000000000000000000");
        byte[] bytes = Files.readAllBytes(file);
        bytes[positions.get(message).intValue() + 92] ^= 1;
        Files.write(file, bytes);
    }

    private PullQuery query(long offset, String expression) {
        return new PullQuery(store.queue("Orders", 0), offset, 32, 1 << 20, new Filters().of("TAG", expression));
    }

    private final class Answer implements PullAnswer {
        private final List<PullResult> results = new ArrayList<>();
        private final List<StoreException> failures = new ArrayList<>();

        @Override
        public Executor loop() {
            return Runnable::run;
        }

        @Override
        public Object connection() {
            return this;
        }

        @Override
        public void parked() {}

        @Override
        public void respond(PullResult result) {
            results.add(result);
            read.add(result);
        }

        @Override
        public void fail(StoreException reason) {
            failures.add(reason);
        }
    }
}
