package io.anser.broker.pull;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.filter.Filters;
import io.anser.broker.filter.Subscription;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.pull.PullResult.Status;
import io.anser.broker.testing.StoredMessage;
import io.anser.broker.testing.WireMessages;
import io.anser.store.Durability;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import io.anser.system.VirtualTime;
import io.netty.buffer.ByteBufUtil;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parks pulls on a loop that the test runs by hand; the store is real and does not wake anybody by itself. */
class ParkedPullsTest {
    private static final PullLimits LIMITS = new PullLimits(32, 256 * 1024, 100, 60_000, 3, 10_000);

    private static final Subscription THEIRS = new Subscription("Orders", "TAG", "theirs", 0);

    private final VirtualTime time = new VirtualTime();
    private final List<Subscription> wishes = new ArrayList<>(List.of(THEIRS));
    private final ManualLoop loop = new ManualLoop();
    private final Object connection = new Object();
    private MessageStore store;
    private QueueLog queue;
    private ParkedPulls parked;
    private QueueReader reader;

    @BeforeEach
    void open(@TempDir Path directory) {
        StoreSettings settings = StoreSettings.defaults()
                .withDirectory(directory)
                .withDurability(Durability.MEMORY)
                .withSegmentBytes(8 << 20);
        store = MessageStore.open(
                settings, new BrokerState(List.of()), (arrivals, from, until) -> {}, time, (where, cause) -> {
                    throw new AssertionError(where, cause);
                });
        queue = store.queue("Orders", 0);
        reader = new QueueReader(store, LIMITS.maxScanned(), () -> false);
        parked = new ParkedPulls(LIMITS, reader, time);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void arrivalAnswersWithTheMessage() throws Exception {
        Answer answer = park(0, "*");
        assertThat(answer.result).isNull();

        arrive("first", "");

        assertThat(answer.status()).isEqualTo(Status.FOUND);
        assertThat(answer.bodies()).containsExactly("first");
        assertThat(answer.result.nextOffset()).isEqualTo(1);
        assertThat(parked.parked()).isZero();
    }

    @Test
    void messageCommittedBeforeTheRegistrationIsNotMissed() throws Exception {
        store("early", "");

        Answer answer = park(0, "*");

        assertThat(answer.bodies()).containsExactly("early");
    }

    @Test
    void otherTagsWakeNobodyAndAreNotLookedAtTwice() throws Exception {
        Answer answer = park(0, "wanted");
        arrive("no", "other");
        arrive("no", "");
        assertThat(answer.result).isNull();

        arrive("yes", "wanted");

        assertThat(answer.bodies()).containsExactly("yes");
        assertThat(answer.result.nextOffset()).isEqualTo(3);
    }

    @Test
    void hashCollisionWakesNobody() throws Exception {
        Answer answer = park(0, "Aa");
        arrive("collides", "BB");

        assertThat(answer.result).isNull();
        assertThat(parked.parked()).isEqualTo(1);
    }

    @Test
    void deadlineAnswersThatNothingIsNewAndMovesPastWhatIsNotWanted() throws Exception {
        Answer answer = park(0, "wanted");
        arrive("no", "other");
        time.advance(Duration.ofMillis(14_999));
        loop.run();
        assertThat(answer.result).isNull();

        time.advance(Duration.ofMillis(1));
        loop.run();

        assertThat(answer.status()).isEqualTo(Status.AT_END);
        assertThat(answer.result.nextOffset()).isEqualTo(1);
        assertThat(answer.result.maxOffset()).isEqualTo(1);
    }

    @Test
    void waitIsCutToTheLimit() {
        Answer answer = new Answer(connection);
        parked.park(answer, query(0, "*"), Long.MAX_VALUE);
        time.advance(Duration.ofSeconds(60));
        loop.run();

        assertThat(answer.status()).isEqualTo(Status.AT_END);
    }

    @Test
    void arrivalAfterTheDeadlineAnswersNoSecondTime() throws Exception {
        Answer answer = park(0, "*");
        time.advance(Duration.ofSeconds(15));
        loop.run();
        arrive("late", "");

        assertThat(answer.status()).isEqualTo(Status.AT_END);
    }

    @Test
    void closedConnectionDropsItsPullsAndNoOthers() throws Exception {
        Answer mine = park(0, "*");
        Answer other = new Answer(new Object());
        parked.park(other, query(0, "*"), 15_000);

        parked.disconnected(loop, connection);
        assertThat(parked.parked()).isEqualTo(1);
        arrive("first", "");
        time.advance(Duration.ofMinutes(1));
        loop.run();

        assertThat(mine.result).isNull();
        assertThat(other.bodies()).containsExactly("first");
    }

    @Test
    void connectionWithTooManyWaitingPullsIsRefusedOneMore() {
        for (int i = 0; i < 3; i++) {
            park(0, "*");
        }

        assertThat(parked.park(new Answer(connection), query(0, "*"), 15_000)).isFalse();
        assertThat(parked.park(new Answer(new Object()), query(0, "*"), 15_000)).isTrue();
        assertThat(parked.parked()).isEqualTo(4);
    }

    @Test
    void pullsThatWouldHoldTooMuchMemoryAreRefusedUntilSomeAreAnswered() throws Exception {
        int accepted = 0;
        while (parked.park(new Answer(new Object()), query(0, "*"), 15_000)) {
            accepted++;
        }
        assertThat(accepted).isEqualTo(19);

        arrive("first", "");

        assertThat(parked.parked()).isZero();
        assertThat(parked.park(new Answer(connection), query(1, "*"), 15_000)).isTrue();
    }

    @Test
    void manyArrivalsWakeTheLoopOnce() throws Exception {
        park(5, "*");
        for (int i = 0; i < 5; i++) {
            store("m" + i, "");
            parked.arrived(queue);
        }

        assertThat(loop.tasks).hasSize(1);
    }

    @Test
    void readerStopsAtTheScanBoundAndGoesOnFromThere() throws Exception {
        for (int i = 0; i < 120; i++) {
            store.append(StoredMessage.of(queue, "m" + i, "other"));
        }
        store("last", "wanted");

        PullResult first = reader.read(query(0, "wanted"));
        PullResult second = reader.read(query(first.nextOffset(), "wanted"));

        assertThat(first.status()).isEqualTo(Status.NONE_MATCHED);
        assertThat(first.nextOffset()).isEqualTo(100);
        assertThat(second.status()).isEqualTo(Status.FOUND);
        assertThat(second.nextOffset()).isEqualTo(121);
    }

    @Test
    void readerDeliversOneMessageThatIsLargerThanAskedAndNoMore() throws Exception {
        store("x".repeat(5000), "");
        store("y", "");

        PullResult result = reader.read(new PullQuery(queue, 0, 32, 1000, new Filters().of("TAG", "*")));

        assertThat(result.nextOffset()).isEqualTo(1);
        assertThat(WireMessages.bodies(ByteBufUtil.getBytes(result.messages()))).containsExactly("x".repeat(5000));
    }

    @Test
    void readerKeepsWantedMessagesApartFromOthersBetweenThem() throws Exception {
        for (int i = 0; i < 9; i++) {
            store("m" + i, "T" + i % 3);
        }

        PullResult result = reader.read(query(0, "T0 || T2"));

        assertThat(WireMessages.bodies(ByteBufUtil.getBytes(result.messages())))
                .containsExactly("m0", "m2", "m3", "m5", "m6", "m8");
        assertThat(result.nextOffset()).isEqualTo(9);
        result.messages().release();
    }

    @Test
    void messageThatAnExpressionDoesNotWantAnswersNobody() throws Exception {
        Answer answer = new Answer(connection);
        PullQuery query = new PullQuery(queue, 0, 32, 1000, new Filters().of("SQL92", "TAGS CONTAINS 'want'"));
        assertThat(parked.park(answer, query, 15_000)).isTrue();

        arrive("first", "other");
        arrive("second", "");
        assertThat(answer.result).isNull();
        arrive("third", "wanted");

        assertThat(answer.bodies()).containsExactly("third");
        assertThat(answer.result.nextOffset()).isEqualTo(3);
    }

    @Test
    void readerStopsWhereAnExpensiveExpressionHasWalkedOverEnoughProperties() throws Exception {
        String costly = "TAGS CONTAINS 'x'" + " OR TAGS CONTAINS 'x'".repeat(190);
        for (int i = 0; i < 20; i++) {
            store("m" + i, "y".repeat(5_000));
        }

        PullResult first = reader.read(new PullQuery(queue, 0, 32, 1000, new Filters().of("SQL92", costly)));

        assertThat(first.status()).isEqualTo(Status.NONE_MATCHED);
        assertThat(first.nextOffset()).isBetween(1L, 10L);
    }

    @Test
    void readerDoesNotPassWhatSomebodyElseOfTheGroupWants() throws Exception {
        for (int i = 0; i < 5; i++) {
            store("m" + i, List.of("mine", "nobodys", "mine", "theirs", "mine").get(i));
        }

        PullResult first = reader.read(shared(0));
        PullResult second = reader.read(shared(first.nextOffset()));

        assertThat(WireMessages.bodies(ByteBufUtil.getBytes(first.messages()))).containsExactly("m0", "m2");
        assertThat(first.nextOffset()).isEqualTo(3);
        assertThat(second.status()).isEqualTo(Status.LEFT_TO_OTHERS);
        assertThat(second.nextOffset()).isEqualTo(3);
    }

    @Test
    void pullThatStandsBeforeSomebodyElsesMessageWaitsUntilItsTimeIsOver() throws Exception {
        Answer answer = new Answer(connection);
        assertThat(parked.park(answer, shared(0), 15_000)).isTrue();

        arrive("first", "nobodys");
        arrive("second", "theirs");
        arrive("third", "mine");
        assertThat(answer.result).isNull();
        time.advance(Duration.ofSeconds(15));
        loop.run();

        assertThat(answer.status()).isEqualTo(Status.AT_END);
        assertThat(answer.result.nextOffset()).isEqualTo(1);
    }

    @Test
    void whatOthersHaveComeToWantWhileThePullWaitsIsNotPassed() throws Exception {
        wishes.clear();
        Answer answer = new Answer(connection);
        assertThat(parked.park(answer, shared(0), 15_000)).isTrue();
        arrive("first", "theirs");
        wishes.add(THEIRS);

        arrive("second", "theirs");
        time.advance(Duration.ofSeconds(15));
        loop.run();

        assertThat(answer.result.nextOffset()).isEqualTo(1);
    }

    private PullQuery shared(long offset) {
        Filters filters = new Filters();
        return new PullQuery(queue, offset, 32, 1000, filters.of("TAG", "mine"), () -> filters.anyOf(wishes));
    }

    private Answer park(long offset, String expression) {
        Answer answer = new Answer(connection);
        assertThat(parked.park(answer, query(offset, expression), 15_000)).isTrue();
        return answer;
    }

    private PullQuery query(long offset, String expression) {
        return new PullQuery(queue, offset, 32, 256 * 1024, new Filters().of("TAG", expression));
    }

    private void arrive(String body, String tag) throws Exception {
        store(body, tag);
        parked.arrived(queue);
        loop.run();
    }

    private void store(String body, String tag) throws Exception {
        StoredMessage message = StoredMessage.of(queue, body, tag);
        store.append(message);
        message.await();
    }

    /** An event loop that runs when the test says so. */
    private static final class ManualLoop implements Executor {
        private final Queue<Runnable> tasks = new ArrayDeque<>();

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        void run() {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
        }
    }

    /** Remembers the answer to one pull. */
    private final class Answer implements PullAnswer {
        private final Object connection;
        private PullResult result;

        Answer(Object connection) {
            this.connection = connection;
        }

        @Override
        public Executor loop() {
            return loop;
        }

        @Override
        public Object connection() {
            return connection;
        }

        @Override
        public void parked() {}

        @Override
        public void respond(PullResult answered) {
            assertThat(result).as("answered once").isNull();
            result = answered;
        }

        @Override
        public void fail(StoreException reason) {
            throw reason;
        }

        Status status() {
            return result.status();
        }

        List<String> bodies() {
            return WireMessages.bodies(ByteBufUtil.getBytes(result.messages()));
        }
    }
}
