package io.anser.broker.pop;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.append.BrokerAddress;
import io.anser.broker.flow.FlowControl;
import io.anser.broker.flow.FlowSettings;
import io.anser.broker.metadata.Appender;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Lease;
import io.anser.broker.metadata.LeaseChange.Popped;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.QueueLeases;
import io.anser.broker.metadata.TopicCreation;
import io.anser.broker.read.ColdReads;
import io.anser.broker.testing.InMemoryLog;
import io.anser.broker.traffic.Traffic;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.system.VirtualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many leases whose time is over. Their topic is gone, so that nothing has to be copied; the log commits and the workers run
 * when the test says so.
 */
class LeaseExpiryTest {
    private static final long TICK = LeaseExpiry.SWEEP_MILLIS;

    private final VirtualTime time = new VirtualTime(1_000_000);
    private final BrokerState state = new BrokerState(List.of());
    private final InMemoryLog log = new InMemoryLog(state);
    private final Proposals proposals = new Proposals(log);
    private final Queue<Runnable> workers = new ArrayDeque<>();
    private MessageStore store;
    private LeaseExpiry expiry;
    private boolean broken;
    private int attempts;

    @BeforeEach
    void open(@TempDir Path directory) {
        store = MessageStore.open(
                StoreSettings.defaults().withDirectory(directory).withSegmentBytes(8 << 20),
                new BrokerState(List.of()),
                (arrivals, from, until) -> {},
                time,
                (where, cause) -> {
                    throw new AssertionError(where, cause);
                });
        PopLimits limits = PopLimits.defaults();
        PopTopics topics = new PopTopics(state, new PopReader(store, limits.maxScanned()), limits);
        Pops pops = new Pops(
                state.topics(),
                proposals,
                new ParkingLot(limits, time),
                new ColdReads(workers::add),
                time,
                new FlowControl(
                                FlowSettings.defaults(),
                                store.room(),
                                state.topics(),
                                connection -> Optional.empty(),
                                new Traffic(time, time),
                                time,
                                time)
                        .deliveries());
        ExpiredMessages messages = new ExpiredMessages(store, state.topics(), new BrokerAddress("c", "b"));
        TopicCreation creation = new TopicCreation(state.topics(), proposals, Runnable::run, time);
        Appender appender = this::append;
        expiry = new LeaseExpiry(
                new ExpiryRound(state.leases()),
                wanted -> new LeaseMoves(state.groups(), messages, creation, appender, topics::settled, wanted, time),
                topics,
                pops,
                time,
                time,
                workers::add);
    }

    private void append(Append append) {
        attempts++;
        if (broken) {
            throw new StoreException(StoreException.Kind.FULL, "the test's device is full");
        }
        log.append(append);
    }

    @AfterEach
    void close() {
        expiry.close();
        store.close();
    }

    @Test
    void aHundredThousandEndWithoutWaitingForTheNextLook() {
        for (int queue = 0; queue < 5; queue++) {
            pop("g", queue, 20_000, 0);
        }
        begin();

        int rounds = 0;
        for (int live = live("g", 5); live > 0; rounds++) {
            land();
            assertThat(live("g", 5)).isLessThan(live);
            live = live("g", 5);
        }

        assertThat(rounds).isBetween(100_000 / LeaseMoves.MAX_IN_FLIGHT, 100_000 / LeaseMoves.WANTED_BELOW + 1);
        assertThat(workers).isEmpty();
    }

    @Test
    void noMoreThanTheLimitAreOnTheirWay() {
        pop("g", 0, 1_000, 0);

        begin();

        assertThat(attempts).isEqualTo(LeaseMoves.MAX_IN_FLIGHT);
    }

    @Test
    void aGroupWithFewGetsItsTurnBesideOneWithManyQueuesFullOfThem() {
        for (int queue = 0; queue < 200; queue++) {
            pop("many", queue, 100, 0);
        }
        for (String few : List.of("a", "few", "z")) {
            pop(few, 0, 1, 0);
        }
        begin();
        land();

        assertThat(live("a", 1) + live("few", 1) + live("z", 1)).isZero();
        assertThat(live("many", 200)).isGreaterThan(19_000);
    }

    @Test
    void whatRunsOutWhileAnotherGroupStillHasManyNeedNotWaitForThem() {
        pop("many", 0, 10_000, 0);
        pop("late", 0, 1, TICK);
        begin();
        land();
        assertThat(live("late", 1)).isEqualTo(1);

        time.advance(Duration.ofMillis(TICK));
        runWorkers();
        land();
        land();

        assertThat(live("late", 1)).isZero();
        assertThat(live("many", 1)).isGreaterThan(9_000);
    }

    @Test
    void aFullDeviceIsTriedNowAndThenAndNoOftener() {
        pop("g", 0, 10_000, 0);
        broken = true;
        begin();
        assertThat(attempts).isEqualTo(LeaseMoves.MAX_FAILED);

        time.advance(Duration.ofMillis(TICK));
        runWorkers();
        assertThat(attempts).isEqualTo(2 * LeaseMoves.MAX_FAILED);
        broken = false;
        time.advance(Duration.ofMillis(TICK));
        runWorkers();
        for (int lands = 0; lands < 1_000 && live("g", 1) > 0; lands++) {
            if (land() == 0) {
                time.advance(Duration.ofMillis(TICK));
                runWorkers();
            }
        }

        assertThat(live("g", 1)).isZero();
    }

    @Test
    void whatIsClosedLooksNoMore() {
        pop("g", 0, 1_000, 0);
        begin();
        expiry.close();

        land();
        time.advance(Duration.ofMillis(10 * TICK));

        assertThat(workers).isEmpty();
        assertThat(live("g", 1)).isEqualTo(1_000 - LeaseMoves.MAX_IN_FLIGHT);
    }

    /** Leases of one message each that run out some time from now. */
    private void pop(String group, int queue, int leases, long inMillis) {
        long now = time.wallMillis();
        QueueKey key = new QueueKey(group, "T", queue);
        for (int i = 0; i < leases; i++) {
            Lease lease = Lease.of(new long[] {i}, now, now + TICK + inMillis);
            proposals.propose(new Popped(key, i, i + 1, lease), Outcome.IGNORED);
        }
    }

    private void begin() {
        log.hold();
        expiry.start();
        time.advance(Duration.ofMillis(TICK));
        runWorkers();
    }

    private void runWorkers() {
        for (Runnable task = workers.poll(); task != null; task = workers.poll()) {
            task.run();
        }
    }

    /** Commits what is on its way and lets the workers go on; returns how many more leases are on their way then. */
    private int land() {
        int before = log.changes();
        log.commit();
        log.hold();
        runWorkers();
        return log.changes() - before;
    }

    private int live(String group, int queues) {
        int live = 0;
        for (int queue = 0; queue < queues; queue++) {
            live += state.leases()
                    .find(new QueueKey(group, "T", queue))
                    .map(QueueLeases::live)
                    .orElse(0);
        }
        return live;
    }
}
