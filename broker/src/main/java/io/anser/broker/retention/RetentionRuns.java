package io.anser.broker.retention;

import io.anser.broker.metadata.RetentionAttributes;
import io.anser.broker.metadata.TopicTable;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.file.StoreException;
import io.anser.store.retention.RetentionPolicy;
import io.anser.system.Cancellable;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the store's retention once a minute and after each new segment, one run at a time, on a worker. */
public final class RetentionRuns implements AutoCloseable {
    /** Time between two runs. */
    static final long PERIOD_MILLIS = 60_000;

    private static final Logger LOG = LoggerFactory.getLogger(RetentionRuns.class);

    private final TopicTable topics;
    private final StoreSettings settings;
    private final MessageStore store;
    private final Clock clock;
    private final Scheduler scheduler;
    private final Executor workers;
    private final AtomicBoolean waiting = new AtomicBoolean();
    private volatile @Nullable Cancellable repetition;
    private volatile boolean closed;

    /**
     * Makes the runs; the first comes with {@link #start}.
     *
     * @param settings how long messages of topics are kept that ask for nothing
     * @param workers may refuse when busy
     */
    public RetentionRuns(
            TopicTable topics,
            StoreSettings settings,
            MessageStore store,
            Clock clock,
            Scheduler scheduler,
            Executor workers) {
        this.topics = topics;
        this.settings = settings;
        this.store = store;
        this.clock = clock;
        this.scheduler = scheduler;
        this.workers = workers;
    }

    /** Runs now and from now on. */
    public void start() {
        store.onSegmentRolled(this::soon);
        repetition = scheduler.every(PERIOD_MILLIS, this::soon);
        soon();
    }

    /** What topics and settings ask for now. */
    public RetentionPolicy policy() {
        return settings.retention(RetentionAttributes.of(topics));
    }

    /** Runs soon, unless a run waits already. Any thread; never blocks. */
    public void soon() {
        if (closed || !waiting.compareAndSet(false, true)) {
            return;
        }
        try {
            workers.execute(this::run);
        } catch (RejectedExecutionException busy) {
            waiting.set(false); // the next minute has a run of its own
        }
    }

    private void run() {
        waiting.set(false);
        if (closed) {
            return;
        }
        try {
            store.retain(clock.wallMillis(), policy());
        } catch (StoreException e) {
            LOG.warn("retention run failed, the next one tries again reason={}", e.getMessage());
        }
    }

    /** Runs no more. */
    @Override
    public void close() {
        closed = true;
        Cancellable running = repetition;
        if (running != null) {
            running.cancel();
        }
    }
}
