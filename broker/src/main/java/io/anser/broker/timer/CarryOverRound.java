package io.anser.broker.timer;

import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.PendingTimer;
import io.anser.store.retention.CarryOver;
import java.util.NavigableSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * All that waits before one log position, some at a time. A worker hands over a batch; whoever ends its last append, mostly
 * the committing thread, has a worker hand over the next one.
 */
final class CarryOverRound {
    /** Most copies on their way into the log, so that they do not crowd out what clients send. */
    static final int MAX_BATCH = 256;

    private final BrokerState state;
    private final TimerCopies copies;
    private final Executor workers;
    private final long untilPosition;
    private final CarryOver.End end;
    private final AtomicInteger onTheirWay = new AtomicInteger();
    private final AtomicInteger kept = new AtomicInteger();
    private volatile String keptReason = "";

    /** The last timer that was looked at; null before the first. */
    private volatile @Nullable PendingTimer last;

    private volatile boolean over;
    private volatile boolean stopped;

    /** A round that has not begun. */
    CarryOverRound(BrokerState state, TimerCopies copies, Executor workers, long untilPosition, CarryOver.End end) {
        this.state = state;
        this.copies = copies;
        this.workers = workers;
        this.untilPosition = untilPosition;
        this.end = end;
    }

    /** Hands over the next batch. */
    void next() {
        onTheirWay.set(1); // this call's own share: the batch ends no sooner than it is complete
        boolean whole = false;
        try {
            over = copyBatch();
            whole = true;
        } finally {
            if (!whole) {
                // The pool's fault handler is told. The segment stays, and a later round tries again.
                keep("a message could not be handled");
                stop();
            }
            ended();
        }
    }

    /** Whether nothing is left behind the batch. Timers come in while it goes on, but none of before the position. */
    private boolean copyBatch() {
        PendingTimer from = last;
        NavigableSet<PendingTimer> all = state.timers().all();
        int count = 0;
        for (PendingTimer timer : from == null ? all : all.tailSet(from, false)) {
            if (count == MAX_BATCH) {
                return false;
            }
            last = timer;
            if (timer.position() < untilPosition && copies.take(timer, this)) {
                count++;
                onTheirWay.incrementAndGet();
                copies.copy(timer, this);
            }
        }
        return true;
    }

    /** A message stays where it is, and its segment with it. Any thread. */
    void keep(String reason) {
        kept.incrementAndGet();
        keptReason = reason;
    }

    /** No further batch makes sense. Any thread. */
    void stop() {
        stopped = true;
    }

    /** One that was handed over has ended. Any thread. */
    void ended() {
        if (onTheirWay.decrementAndGet() > 0) {
            return;
        }
        if (over || stopped) {
            finish();
            return;
        }
        try {
            workers.execute(this::next);
        } catch (RejectedExecutionException busy) {
            keep("the workers are busy");
            finish();
        }
    }

    private void finish() {
        if (kept.get() == 0) {
            end.free();
        } else {
            end.kept("delayed messages=" + kept.get() + " cannot be appended again: " + keptReason);
        }
    }
}
