package io.anser.broker.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.lock.OrderLocks.Grant;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.testing.InMemoryLog;
import io.anser.system.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class OrderLocksTest {
    private static final QueueKey ZERO = new QueueKey("orders-group", "Orders", 0);
    private static final QueueKey ONE = new QueueKey("orders-group", "Orders", 1);

    private final VirtualTime time = new VirtualTime();
    private final BrokerState state = new BrokerState(List.of());
    private final InMemoryLog log = new InMemoryLog(state);
    private final OrderLocks locks = locks();

    @Test
    void firstClientGetsTheLocksInOneRecord() {
        assertThat(granted(locks, "a", ZERO, ONE)).containsExactly(true, true);

        assertThat(log.records()).isEqualTo(1);
        assertThat(state.orderLocks().owner(ZERO)).hasValue("a");
        assertThat(state.orderLocks().owner(ONE)).hasValue("a");
    }

    @Test
    void otherClientGetsOnlyWhatIsFree() {
        granted(locks, "a", ZERO);

        assertThat(granted(locks, "b", ZERO, ONE)).containsExactly(false, true);
    }

    @Test
    void renewalCostsNoRecord() {
        granted(locks, "a", ZERO);
        for (int i = 0; i < 10; i++) {
            time.advance(Duration.ofSeconds(20));
            assertThat(granted(locks, "a", ZERO)).containsExactly(true);
        }

        assertThat(log.records()).isEqualTo(1);
        assertThat(granted(locks, "b", ZERO)).containsExactly(false);
    }

    @Test
    void lockThatIsNotRenewedForAMinuteGoesToTheNextWhoAsks() {
        granted(locks, "a", ZERO);
        time.advance(Duration.ofSeconds(60));
        assertThat(granted(locks, "b", ZERO)).containsExactly(false);
        time.advance(Duration.ofMillis(1));

        assertThat(granted(locks, "b", ZERO)).containsExactly(true);
        assertThat(granted(locks, "a", ZERO)).containsExactly(false);
        assertThat(state.orderLocks().owner(ZERO)).hasValue("b");
    }

    @Test
    void releasedLockIsFreeAtOnce() {
        granted(locks, "a", ZERO, ONE);
        CompletableFuture<Boolean> released = locks.unlock(List.of(ZERO), "a");

        assertThat(released).isCompletedWithValue(true);
        assertThat(state.orderLocks().owner(ZERO)).isEmpty();
        assertThat(granted(locks, "b", ZERO, ONE)).containsExactly(true, false);
    }

    @Test
    void lockOfAnotherClientIsNotReleased() {
        granted(locks, "a", ZERO);

        assertThat(locks.unlock(List.of(ZERO, ONE), "b")).isCompletedWithValue(true);
        assertThat(granted(locks, "b", ZERO)).containsExactly(false);
        assertThat(log.records()).isEqualTo(1);
    }

    @Test
    void lockIsGrantedWhenTheRecordIsCommitted() {
        log.hold();
        List<Grant> first = locks.lock(List.of(ZERO), "a");
        List<Grant> again = locks.lock(List.of(ZERO), "a");
        List<Grant> other = locks.lock(List.of(ZERO), "b");

        assertThat(first.get(0).granted()).isNotDone();
        assertThat(again.get(0).granted()).isNotDone();
        assertThat(other.get(0).granted()).isCompletedWithValue(false);
        log.commit();
        assertThat(first.get(0).granted()).isCompletedWithValue(true);
        assertThat(again.get(0).granted()).isCompletedWithValue(true);
        assertThat(log.records()).isEqualTo(1);
    }

    @Test
    void ownerAfterAReleaseOnItsWayIsTheOwnerInTheLog() {
        granted(locks, "a", ZERO);
        log.hold();
        locks.unlock(List.of(ZERO), "a");
        List<Grant> next = locks.lock(List.of(ZERO), "b");
        log.commit();

        assertThat(next.get(0).granted()).isCompletedWithValue(true);
        assertThat(state.orderLocks().owner(ZERO)).hasValue("b");
        assertThat(granted(locks, "a", ZERO)).containsExactly(false);
    }

    @Test
    void lockThatCouldNotBeCommittedIsNotGrantedAndStaysFree() {
        log.hold();
        List<Grant> first = locks.lock(List.of(ZERO), "a");
        log.failAll();

        assertThat(first.get(0).granted()).isCompletedWithValue(false);
        assertThat(granted(locks, "b", ZERO)).containsExactly(true);
    }

    @Test
    void ownerFoundInTheLogHasAFullLifeAfterARestart() {
        granted(locks, "a", ZERO);
        time.advance(Duration.ofMinutes(10));
        OrderLocks restarted = locks();

        time.advance(Duration.ofSeconds(59));
        assertThat(granted(restarted, "b", ZERO)).containsExactly(false);
        assertThat(granted(restarted, "a", ZERO)).containsExactly(true);
        assertThat(log.records()).isEqualTo(1);
    }

    private OrderLocks locks() {
        return new OrderLocks(state.orderLocks(), new Proposals(log), time);
    }

    private static List<Boolean> granted(OrderLocks locks, String clientId, QueueKey... queues) {
        return locks.lock(List.of(queues), clientId).stream()
                .map(grant -> grant.granted().getNow(false))
                .toList();
    }
}
