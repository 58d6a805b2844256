package io.anser.broker.pop;

import io.anser.system.Cancellable;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for leases whose time is over, every {@value #SWEEP_MILLIS} ms, and at once while there are more of them than may be on
 * their way into the log. One worker looks at a time, and each look is a task of its own, so that the pool's other work gets
 * its turn.
 */
public final class LeaseExpiry implements AutoCloseable {
    /** Time between two looks: a message is visible again this much late at most. */
    static final long SWEEP_MILLIS = 500;

    private static final Logger LOG = LoggerFactory.getLogger(LeaseExpiry.class);

    private final ExpiryRound round;
    private final LeaseMoves moves;
    private final PopTopics topics;
    private final Pops pops;
    private final Clock clock;
    private final Scheduler scheduler;
    private final Executor workers;
    /** How often a look was due since the last one began. */
    private final AtomicInteger due = new AtomicInteger();
    /** Whether it is time to begin anew. */
    private final AtomicBoolean tick = new AtomicBoolean();
    /** Whether the last look ended because as much was on its way as may be. */
    private final AtomicBoolean starved = new AtomicBoolean();

    private volatile @Nullable Cancellable timer;
    private volatile boolean resting = true;
    private volatile boolean closed;

    /**
     * Makes it; nothing is looked for before {@link #start}.
     *
     * @param moves given who is told when more may be moved, makes the way of expired leases
     * @param workers bounded pool; may refuse when busy
     */
    LeaseExpiry(
            ExpiryRound round,
            Function<Runnable, LeaseMoves> moves,
            PopTopics topics,
            Pops pops,
            Clock clock,
            Scheduler scheduler,
            Executor workers) {
        this.round = round;
        this.topics = topics;
        this.pops = pops;
        this.clock = clock;
        this.scheduler = scheduler;
        this.workers = workers;
        this.moves = moves.apply(this::mayGoOn);
    }

    /** Begins to look, or goes on. */
    public void start() {
        rest();
        resting = false;
        timer = scheduler.every(SWEEP_MILLIS, this::beginSoon);
    }

    /** Looks no more, until it is started again: whoever leads does. */
    void rest() {
        resting = true;
        cancel();
    }

    /** Looks no more; what is in flight still ends. */
    @Override
    public void close() {
        closed = true;
        cancel();
    }

    private void cancel() {
        Cancellable running = timer;
        if (running != null) {
            running.cancel();
        }
    }

    private void beginSoon() {
        if (round.isNeeded() || !topics.all().isEmpty()) {
            tick.set(true);
            lookSoon();
        }
    }

    private void mayGoOn() {
        if (starved.compareAndSet(true, false)) {
            lookSoon();
        }
    }

    private void lookSoon() {
        if (!closed && !resting && due.getAndIncrement() == 0) {
            submit();
        }
    }

    private void submit() {
        try {
            workers.execute(this::look);
        } catch (RejectedExecutionException busy) {
            due.set(0); // the next look is soon
        }
    }

    private void look() {
        int seen = due.get();
        boolean ended = false;
        try {
            if (tick.getAndSet(false)) {
                begin();
            }
            goOn();
            ended = true;
        } finally {
            if (!ended) {
                due.set(0); // the pool's fault handler is told
            } else if (due.addAndGet(-seen) != 0) {
                submit();
            }
        }
    }

    private void begin() {
        moves.hope();
        round.begin();
        topics.clean();
        topics.all().forEach(this::recordSkipped);
    }

    private void goOn() {
        long now = clock.wallMillis();
        int room = moves.room();
        while (!round.isOver() && room > 0 && !resting) {
            moves.begin(round.next(now, room));
            room = moves.room();
        }
        if (!round.isOver()) {
            starved.set(true);
            if (moves.wantsMore()) {
                mayGoOn(); // they all ended before they could know
            }
        }
    }

    /** Puts into the log how far filters have passed over messages, so that the group's offset shows it. */
    private void recordSkipped(PopTopic topic) {
        for (PopQueue queue : topic.queues()) {
            try {
                recordSkipped(topic, queue);
            } catch (RuntimeException e) {
                // What could not be recorded now is recorded later; the other queues do not wait for that.
                LOG.warn("skipped messages not recorded yet queue={} reason={}", queue.key(), e.toString());
            }
        }
    }

    private void recordSkipped(PopTopic topic, PopQueue queue) {
        if (!queue.hasSkipped() || !queue.acquire()) {
            return;
        }
        List<Take> skipped;
        boolean tell;
        try {
            skipped = queue.skipped().stream().toList();
        } finally {
            tell = queue.release();
        }
        try {
            pops.record(topic, skipped);
        } finally {
            if (tell) {
                topic.line().signal();
            }
        }
    }
}
