package io.anser.broker.replication;

import io.anser.broker.replication.CopySettings.WithoutReplicas;
import java.util.Collection;
import java.util.Comparator;

/**
 * Up to where a primary in sync mode may acknowledge, and what it does when its replicas are away or too slow. A function of
 * what it is told, without clock and thread; the caller has the calls one after another, any thread reads.
 */
final class InSync {
    /** A replica that lacks no more than this is waited for again. */
    static final long NEAR_BYTES = 4L << 20;

    /** What a primary does at the moment. */
    enum State {
        /** It waits for its replicas. */
        SYNC,
        /** It acknowledges alone. */
        DEGRADED,
        /** It refuses what is sent. */
        REFUSING
    }

    private final int awaited;
    private final long timeoutMillis;
    private final State without;
    private volatile State state = State.SYNC;
    private volatile long copied;
    private long waitingSinceMillis = -1;

    InSync(int awaited, long timeoutMillis, WithoutReplicas without) {
        this.awaited = awaited;
        this.timeoutMillis = timeoutMillis;
        this.without = without == WithoutReplicas.DEGRADE ? State.DEGRADED : State.REFUSING;
    }

    State state() {
        return state;
    }

    /** Enough replicas have everything before it. */
    long copied() {
        return copied;
    }

    /** Everything before it may be acknowledged. */
    long limit() {
        return state == State.DEGRADED ? Long.MAX_VALUE : copied;
    }

    /**
     * Looks at the replicas: after one has acknowledged, come or gone, and from time to time.
     *
     * @param acknowledged of each that is connected
     * @param durable what the primary has itself
     * @return whether {@link #limit} or {@link #state} has changed
     */
    boolean look(Collection<Long> acknowledged, long durable, long nowMillis) {
        State before = state;
        long limitBefore = limit();
        boolean enough = acknowledged.size() >= awaited;
        if (enough) {
            long have = acknowledged.stream()
                    .sorted(Comparator.reverseOrder())
                    .skip(awaited - 1L)
                    .findFirst()
                    .orElse(0L);
            if (have > copied) {
                copied = have;
                waitingSinceMillis = -1;
            }
        }
        boolean waiting = !enough || copied < durable;
        if (!waiting) {
            waitingSinceMillis = -1;
        } else if (waitingSinceMillis < 0) {
            waitingSinceMillis = nowMillis;
        }
        if (state == State.SYNC) {
            if (waiting && nowMillis - waitingSinceMillis >= timeoutMillis) {
                state = without;
            }
        } else if (enough && copied >= durable - NEAR_BYTES) {
            state = State.SYNC;
            waitingSinceMillis = -1;
        }
        return state != before || limit() != limitBefore;
    }
}
