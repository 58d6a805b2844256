package io.anser.broker.lock;

import io.anser.broker.metadata.Change.OrderLockMoved;
import io.anser.broker.metadata.OrderLockTable;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.QueueKey;
import io.anser.store.file.StoreException;
import io.anser.system.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Lends the order locks of queues: one owner at a time, for {@value #LIFE_MILLIS} ms after it last asked.
 *
 * <p>A new owner is a record of the log and holds the lock when that is committed; an owner that asks again costs no
 * record. An owner found in the log when the broker begins to lead has a full life from then on, because nobody knows when
 * it last asked.
 *
 * <p>Any thread asks; decisions are taken one at a time under this object's monitor, in which a proposal takes its place
 * in the log too, so that the log's order of owners is the order of the decisions. Locks are asked for every 20 seconds,
 * not for every message.
 */
public final class OrderLocks {
    /** How long a lock is kept after its owner last asked, in milliseconds. */
    public static final long LIFE_MILLIS = 60_000;

    private static final String NOBODY = "";

    private final OrderLockTable owners;
    private final Proposals proposals;
    private final Clock clock;
    private long startedNanos;
    private final Map<QueueKey, Lease> leases = new HashMap<>();

    /** Takes over the owners that the log knows. */
    public OrderLocks(OrderLockTable owners, Proposals proposals, Clock clock) {
        this.owners = owners;
        this.proposals = proposals;
        this.clock = clock;
        this.startedNanos = clock.nanos();
    }

    /** What became of one queue of a request: whether the client owns the lock. Completed on any thread. */
    public record Grant(QueueKey queue, CompletableFuture<Boolean> granted) {}

    /**
     * Asks for locks. Each is granted or not by itself.
     *
     * @param clientId who asks; not empty
     * @return for each queue, in the same order, what becomes of it
     */
    public synchronized List<Grant> lock(Collection<QueueKey> queues, String clientId) {
        long now = clock.nanos();
        List<Grant> grants = new ArrayList<>(queues.size());
        Map<QueueKey, Lease> moved = new LinkedHashMap<>();
        for (QueueKey queue : queues) {
            Lease lease = leases.computeIfAbsent(queue, this::known);
            if (lease.owner.equals(clientId)) {
                // Even when its time was over: nobody else has asked meanwhile.
                lease.renewedNanos = now;
            } else if (lease.isFree(now)) {
                lease = new Lease(clientId, now, new CompletableFuture<>());
                leases.put(queue, lease);
                moved.put(queue, lease);
            } else {
                grants.add(new Grant(queue, CompletableFuture.completedFuture(false)));
                continue;
            }
            grants.add(new Grant(queue, lease.granted));
        }
        propose(moved);
        return grants;
    }

    /**
     * Gives locks back. Those of other clients are left alone.
     *
     * @return completed when it is committed; with false if it could not be, and the locks live on until their time is over
     */
    public synchronized CompletableFuture<Boolean> unlock(Collection<QueueKey> queues, String clientId) {
        Map<QueueKey, Lease> moved = new LinkedHashMap<>();
        for (QueueKey queue : queues) {
            Lease lease = leases.getOrDefault(queue, known(queue));
            if (lease.owner.equals(clientId)) {
                Lease free = new Lease(NOBODY, clock.nanos(), new CompletableFuture<>());
                leases.put(queue, free);
                moved.put(queue, free);
            }
        }
        propose(moved);
        CompletableFuture<Boolean> all = CompletableFuture.completedFuture(true);
        for (Lease lease : moved.values()) {
            all = all.thenCombine(lease.granted, Boolean::logicalAnd);
        }
        return all;
    }

    /** The broker is about to lead: others may have granted locks since, which have a full life from now on. */
    public synchronized void takeOver() {
        leases.clear();
        startedNanos = clock.nanos();
    }

    /** Takes locks of queues that are gone from their owners, who lose them in the state as well. */
    public synchronized void forget(Predicate<QueueKey> gone) {
        leases.keySet().removeIf(gone);
    }

    private Lease known(QueueKey queue) {
        return new Lease(owners.owner(queue).orElse(NOBODY), startedNanos, CompletableFuture.completedFuture(true));
    }

    private void propose(Map<QueueKey, Lease> moved) {
        List<OrderLockMoved> changes = new ArrayList<>();
        moved.forEach((queue, lease) -> changes.add(new OrderLockMoved(queue, lease.owner)));
        for (int from = 0; from < changes.size(); from += Proposals.MAX_CHANGES) {
            int until = Math.min(changes.size(), from + Proposals.MAX_CHANGES);
            List<OrderLockMoved> part = changes.subList(from, until);
            proposals.propose(part, new Moved(part, moved));
        }
    }

    private synchronized void settle(QueueKey queue, Lease lease, boolean committed) {
        boolean over = !committed || lease.owner.equals(NOBODY);
        if (over && leases.get(queue) == lease) {
            // From here on the state alone says who owns the lock.
            leases.remove(queue);
        }
    }

    /** Some owners on their way into the log. */
    private final class Moved implements Outcome {
        private final List<OrderLockMoved> part;
        private final Map<QueueKey, Lease> moved;

        Moved(List<OrderLockMoved> part, Map<QueueKey, Lease> moved) {
            this.part = part;
            this.moved = moved;
        }

        @Override
        public void committed() {
            settle(true);
        }

        @Override
        public void failed(StoreException reason) {
            settle(false);
        }

        private void settle(boolean committed) {
            for (OrderLockMoved change : part) {
                Lease lease = moved.get(change.queue());
                if (lease != null) {
                    OrderLocks.this.settle(change.queue(), lease, committed);
                    lease.granted.complete(committed);
                }
            }
        }
    }

    /** One owner's hold on one lock. Guarded by the monitor of the locks. */
    private static final class Lease {
        private final String owner;
        private final CompletableFuture<Boolean> granted;
        private long renewedNanos;

        Lease(String owner, long renewedNanos, CompletableFuture<Boolean> granted) {
            this.owner = owner;
            this.renewedNanos = renewedNanos;
            this.granted = granted;
        }

        boolean isFree(long nowNanos) {
            return owner.equals(NOBODY) || nowNanos - renewedNanos > TimeUnit.MILLISECONDS.toNanos(LIFE_MILLIS);
        }
    }
}
