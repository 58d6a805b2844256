package io.anser.broker.pop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.broker.filter.Filters;
import io.anser.broker.filter.MessageFilter;
import io.anser.broker.filter.OthersFilter;
import io.anser.broker.filter.TagFilter;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Change;
import io.anser.broker.metadata.Lease;
import io.anser.broker.metadata.LeaseChange;
import io.anser.broker.metadata.LeaseChange.Popped;
import io.anser.broker.metadata.LeaseChange.Settled;
import io.anser.broker.metadata.LeaseId;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.QueueLeases;
import io.anser.broker.pop.PopTopic.Taken;
import io.anser.broker.testing.StoredMessage;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.message.Names;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.system.VirtualTime;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which messages pops take, while some of what they propose does not get into the log. */
class PopTopicTest {
    private static final int QUEUES = 2;
    private static final int MESSAGES = 300;
    private static final PopLimits LIMITS = new PopLimits(256 * 1024, 20, 64, 60_000, 100, 100);

    @TempDir
    private Path directory;

    private final BrokerState state = new BrokerState(List.of());
    private final Queue<Append> onTheWay = new ArrayDeque<>();
    private final Proposals proposals = new Proposals(onTheWay::add);
    private final Set<String> delivered = new HashSet<>();
    private final Set<String> deliveredTwice = new HashSet<>();
    private final Queue<Settled> toSettle = new ArrayDeque<>();
    private MessageStore store;
    private PopTopic topic;
    private String broken = "";

    @BeforeEach
    void open() throws Exception {
        store = openStore(state);
        state.attach((name, queueId) -> {
            if (name.equals(broken)) {
                throw new StoreException(StoreException.Kind.IO, "the test's index is broken");
            }
            return store.queue(name, queueId);
        });
        proposals.propose(new Change.TopicSaved(1, new TopicConfig("T", QUEUES, QUEUES, 6)), Outcome.IGNORED);
        commitAll();
        for (int queue = 0; queue < QUEUES; queue++) {
            for (int i = 0; i < MESSAGES; i++) {
                StoredMessage message = StoredMessage.of(store.queue("T", queue), "m", i % 30 == 7 ? "rare" : "usual");
                store.append(message);
                if (i == MESSAGES - 1) {
                    message.await();
                }
            }
        }
        topic = new PopTopic("g", "T", state, new PopReader(store, LIMITS.maxScanned()), LIMITS);
    }

    private MessageStore openStore(BrokerState owner) {
        return MessageStore.open(
                StoreSettings.defaults().withDirectory(directory).withSegmentBytes(8 << 20),
                owner,
                (arrivals, from, until) -> {},
                new VirtualTime(),
                (where, cause) -> {
                    throw new AssertionError(where, cause);
                });
    }

    @AfterEach
    void close() {
        store.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void everyMessageIsDeliveredOnceWhateverFailsOnTheWay(long seed) {
        Random random = new Random(seed);
        int steps = 0;
        while (delivered.size() < QUEUES * MESSAGES) {
            assertThat(++steps).as(this::progress).isLessThan(100_000);
            switch (random.nextInt(6)) {
                case 0, 1, 2 -> pop(wish(1 + random.nextInt(32), TagFilter.ALL));
                case 3 -> failOne();
                case 4 -> settleOne();
                default -> commitAll();
            }
        }
        settleAll();

        for (int queue = 0; queue < QUEUES; queue++) {
            assertThat(state.offsets().committed("g", "T", queue)).isEqualTo(MESSAGES);
            assertThat(leases(queue).hasHoles()).isFalse();
        }
        assertThat(topic.mayHave(wish(1, TagFilter.ALL), 0)).isFalse();
    }

    @Test
    void rareMessagesAreFoundAmongManyThatOneLookDoesNotGetThrough() {
        MessageFilter rare = new Filters().of("TAG", "rare");
        int looks = 0;
        while (delivered.size() < QUEUES * MESSAGES / 30) {
            Taken taken = pop(wish(32, rare));
            assertThat(!taken.isEmpty() || taken.early()).isTrue();
            assertThat(++looks).isLessThan(QUEUES * MESSAGES);
            commitAll();
        }
        settleAll();
        for (Taken last = pop(wish(32, rare)); last.early(); last = pop(wish(32, rare))) {
            assertThat(last.isEmpty()).isTrue();
        }
        for (PopQueue queue : topic.queues()) {
            assertThat(queue.acquire()).isTrue();
            queue.skipped().ifPresent(skipped -> propose(new Taken(List.of(skipped), false, false, false)));
            queue.release();
        }
        commitAll();

        assertThat(state.offsets().committed("g", "T", 0)).isEqualTo(MESSAGES);
        assertThat(state.offsets().committed("g", "T", 1)).isEqualTo(MESSAGES);
    }

    @Test
    void whatALookHasTakenBeforeItFailsIsThereForOthers() {
        broken = Names.popRetryTopic("g", "T");
        proposals.propose(new Change.TopicSaved(1, new TopicConfig(broken, 1, 1, 6)), Outcome.IGNORED);
        commitAll();
        for (int turn = 0; turn < 3; turn++) {
            assertThatThrownBy(() -> pop(wish(32, TagFilter.ALL))).isInstanceOf(StoreException.class);
        }
        assertThat(onTheWay).isEmpty();
        broken = "";

        for (int queue = 0; queue < QUEUES; queue++) {
            pop(new PopWish(queue, 1, 1000, TagFilter.ALL, OthersFilter.NONE, true, "a"));
        }
        commitAll();

        assertThat(delivered).containsExactlyInAnyOrder("0/0", "1/0");
    }

    @Test
    void noMoreThanTheLimitIsOut() {
        for (int i = 0; i < 20; i++) {
            pop(wish(32, TagFilter.ALL));
        }
        commitAll();
        assertThat(delivered).hasSize(QUEUES * LIMITS.maxOut());
        assertThat(topic.queues()).allMatch(PopQueue::isAwaited);

        settleAll();

        assertThat(pop(wish(32, TagFilter.ALL)).isEmpty()).isFalse();
        commitAll();
    }

    @Test
    void inOrderNothingMoreIsTakenWhileAPopIsOnItsWay() {
        PopWish wish = new PopWish(0, 5, 1000, TagFilter.ALL, OthersFilter.NONE, true, "a");
        assertThat(pop(wish).isEmpty()).isFalse();
        assertThat(pop(wish).takes()).isEmpty();
        assertThat(topic.queues().get(0).isAwaited()).isTrue();

        failOne();
        assertThat(pop(wish).isEmpty()).isFalse();
        commitAll();

        assertThat(delivered).containsExactlyInAnyOrder("0/0", "0/1", "0/2", "0/3", "0/4");
        assertThat(pop(new PopWish(0, 5, 1000, TagFilter.ALL, OthersFilter.NONE, true, "b"))
                        .takes())
                .isEmpty();
    }

    @Test
    void inOrderAQueueGoesOnWhenNothingIsLeftOfWhatWasOut() {
        QueueKey queue = new QueueKey("g", "T", 0);
        Lease lost = new Lease(new long[] {MESSAGES + 5}, 1, 2, new byte[1], "a");
        proposals.propose(new Popped(queue, 0, 0, lost), Outcome.IGNORED);
        commitAll();
        PopWish wish = new PopWish(0, 5, 1000, TagFilter.ALL, OthersFilter.NONE, true, "b");

        assertThat(pop(wish).isEmpty()).isTrue();
        commitAll();
        assertThat(leases(0).live()).isZero();
        assertThat(pop(wish).isEmpty()).isFalse();
        commitAll();

        assertThat(delivered).hasSize(5);
    }

    @Test
    void whoIsTurnedAwayIsToldWhenTheQueueIsFree() {
        pop(wish(1, TagFilter.ALL));
        PopQueue queue = topic.queues().get(0);
        assertThat(queue.acquire()).isTrue();
        long events = topic.line().events();

        assertThat(queue.acquire()).isFalse();

        assertThat(queue.release()).isTrue();
        assertThat(topic.line().events()).isEqualTo(events);
        assertThat(queue.acquire()).isTrue();
        assertThat(queue.release()).isFalse();
        commitAll();
    }

    @Test
    void oneLookGoesThroughNoMoreMessagesThanItMayInAllQueuesTogether() {
        MessageFilter nothing = new Filters().of("TAG", "nobodys");
        Taken first = pop(wish(32, nothing));
        assertThat(first.takes()).isEmpty();
        assertThat(first.early()).isTrue();
        assertThat(topic.rest()).isEqualTo(QUEUES * MESSAGES - LIMITS.maxScanned());

        int looks = 1;
        while (pop(wish(32, nothing)).early()) {
            looks++;
        }

        assertThat(topic.rest()).isZero();
        assertThat(looks).isBetween(QUEUES * MESSAGES / LIMITS.maxScanned() - 1, QUEUES * MESSAGES);
    }

    @Test
    void whatTheLogRefusesGoesBackOnceThoughWhoeverIsToldThrows() {
        RuntimeException thrown = new IllegalStateException("the test's outcome");
        Proposals refusing = new Proposals(append -> {
            throw new StoreException(StoreException.Kind.BUSY, "the test's log is busy");
        });
        PopWish wish = new PopWish(0, 5, 1000, TagFilter.ALL, OthersFilter.NONE, true, "a");
        Taken taken = topic.take(wish, 1000, true);

        assertThatThrownBy(() -> Flight.begin(refusing, topic, taken.takes(), new Outcome() {
                    @Override
                    public void committed() {}

                    @Override
                    public void failed(StoreException reason) {
                        throw thrown;
                    }
                }))
                .isSameAs(thrown);

        assertThat(pop(wish).isEmpty()).isFalse();
        commitAll();
        assertThat(delivered).containsExactlyInAnyOrder("0/0", "0/1", "0/2", "0/3", "0/4");
    }

    @Test
    void messagesThatNobodyHasReadSinceTheStartAreLeftToAWorker() {
        store.close();
        BrokerState again = new BrokerState(List.of());
        store = openStore(again);
        again.attach(store::queue);
        topic = new PopTopic("g", "T", again, new PopReader(store, LIMITS.maxScanned()), LIMITS);

        Taken cold = topic.take(wish(5, TagFilter.ALL), 1000, false);
        assertThat(cold.cold()).isTrue();
        assertThat(cold.isEmpty()).isTrue();

        Taken read = topic.take(wish(5, TagFilter.ALL), 1000, true);
        topic.readAhead(read);
        assertThat(read.isEmpty()).isFalse();
        read.takes().forEach(Take::undo);
        assertThat(topic.take(wish(5, TagFilter.ALL), 1000, false).cold()).isFalse();
    }

    private static PopWish wish(int max, MessageFilter filter) {
        return new PopWish(-1, max, 1_000_000, filter, OthersFilter.NONE, false, "");
    }

    private Taken pop(PopWish wish) {
        Taken taken = topic.take(wish, 1000L + delivered.size() + onTheWay.size(), true);
        propose(taken);
        return taken;
    }

    private void propose(Taken taken) {
        if (taken.takes().isEmpty()) {
            return;
        }
        proposals.propose(changes(taken), new Outcome() {
            @Override
            public void committed() {
                taken.takes().forEach(PopTopicTest.this::deliver);
            }

            @Override
            public void failed(StoreException reason) {
                taken.takes().forEach(Take::undo);
            }
        });
    }

    private static List<LeaseChange> changes(Taken taken) {
        return taken.takes().stream()
                .<LeaseChange>flatMap(take -> take.changes().stream())
                .toList();
    }

    private void deliver(Take take) {
        take.queue().committed(take);
        take.messages().release();
        QueueKey key = take.change().queue();
        for (long offset : take.change().lease().offsets()) {
            String message = key.queueId() + "/" + offset;
            if (!delivered.add(message)) {
                deliveredTwice.add(message);
            }
        }
        if (take.size() > 0) {
            LeaseId id = new LeaseId(
                    take.change().lease().offsets()[0], take.change().lease().popMillis());
            toSettle.add(new Settled(key, id, take.change().lease().all()));
        }
    }

    private void settleOne() {
        Settled next = toSettle.poll();
        if (next != null) {
            proposals.propose(next, new Outcome() {
                @Override
                public void committed() {}

                @Override
                public void failed(StoreException reason) {
                    toSettle.add(next);
                }
            });
        }
    }

    private void settleAll() {
        commitAll();
        while (!toSettle.isEmpty()) {
            settleOne();
            commitAll();
        }
    }

    private void failOne() {
        Append lost = onTheWay.poll();
        if (lost != null) {
            lost.failed(new StoreException(StoreException.Kind.BUSY, "the test's log is busy"));
        }
    }

    private void commitAll() {
        for (Append append = onTheWay.poll(); append != null; append = onTheWay.poll()) {
            store.append(append);
        }
        CompletableFuture<Boolean> told = new CompletableFuture<>();
        new Proposals(store::append).propose(new Change.BrokerStarted(1), new Outcome() {
            @Override
            public void committed() {
                told.complete(true);
            }

            @Override
            public void failed(StoreException reason) {
                told.completeExceptionally(reason);
            }
        });
        told.join();
        assertThat(deliveredTwice).isEmpty();
    }

    private String progress() {
        return delivered.size() + " of " + QUEUES * MESSAGES + " delivered, on the way " + onTheWay.size()
                + ", to settle " + toSettle.size() + ", base " + leases(0).base() + " and "
                + leases(1).base();
    }

    private QueueLeases leases(int queue) {
        return state.leases().find(new QueueKey("g", "T", queue)).orElseThrow();
    }
}
