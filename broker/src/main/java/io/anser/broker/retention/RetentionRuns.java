package io.anser.broker.retention;

import io.anser.broker.metadata.RetentionAttributes;
import io.anser.broker.metadata.TopicTable;
import io.anser.broker.role.RoleListener;
import io.anser.protocol.message.Names;
import io.anser.store.MessageStore;
import io.anser.store.file.StoreException;
import io.anser.store.log.DiskStatus;
import io.anser.store.queue.QueueLog;
import io.anser.store.retention.RetentionPolicy;
import io.anser.store.retention.RetentionSettings;
import io.anser.store.retention.TopicRetention;
import io.anser.system.Cancellable;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the store's retention once a minute and after each new segment, and once a second while the device is full; one run
 * at a time, on a worker.
 */
public final class RetentionRuns implements RoleListener, AutoCloseable {
    /** Time between two runs while the device is not full. */
    static final long PERIOD_MILLIS = 60_000;

    /** Time between two looks whether the device is full and room must be made. */
    static final long LOOK_MILLIS = 1_000;

    /**
     * The messages of such a topic that still wait are appended again, and those that an Apache broker has left are no longer
     * needed when they were taken over, so that they never hold back a segment.
     */
    private static final TopicRetention CARRIED_OVER = new TopicRetention(0, 0, true);

    private static final Logger LOG = LoggerFactory.getLogger(RetentionRuns.class);

    private final TopicTable topics;
    private final Supplier<RetentionSettings> settings;
    private final MessageStore store;
    private final Clock clock;
    private final Scheduler scheduler;
    private final Executor workers;
    private final AtomicBoolean waiting = new AtomicBoolean();
    private final AtomicBoolean dropping = new AtomicBoolean();
    private volatile @Nullable Cancellable repetition;
    private volatile @Nullable Cancellable looking;
    private volatile boolean resting = true;
    private volatile boolean closed;

    /**
     * Makes the runs; the first comes when the broker {@linkplain #leads leads}.
     *
     * @param settings how long messages of topics are kept that ask for nothing; asked for each run
     * @param workers may refuse when busy
     */
    public RetentionRuns(
            TopicTable topics,
            Supplier<RetentionSettings> settings,
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
    @Override
    public void leads() {
        cancel(looking);
        cancel(repetition);
        resting = false;
        store.onSegmentRolled(this::soon);
        store.setAppendPolicy(this::mayUseMargin);
        looking = scheduler.every(LOOK_MILLIS, this::look);
        repetition = scheduler.every(PERIOD_MILLIS, this::soon);
        soon();
    }

    /** Rests: what is removed is for the leader to say. */
    @Override
    public void follows() {
        resting = true;
        cancel(looking);
        cancel(repetition);
    }

    /** What topics and settings ask for now. */
    public RetentionPolicy policy() {
        Map<String, TopicRetention> asked = RetentionAttributes.of(topics);
        store.topics().stream().filter(RetentionRuns::isCarriedOver).forEach(topic -> asked.put(topic, CARRIED_OVER));
        return settings.get().policy(asked);
    }

    private static boolean isCarriedOver(String topic) {
        return switch (topic) {
            case Names.SCHEDULE_TOPIC, Names.HALF_TOPIC, Names.TIMER_TOPIC, Names.OP_HALF_TOPIC -> true;
            default -> topic.startsWith(Names.POP_RECORDS_PREFIX);
        };
    }

    private boolean mayUseMargin(QueueLog queue) {
        return topics.find(queue.topic())
                .map(topic -> RetentionAttributes.dropsOldest(topic.config().attributes()))
                .orElse(false);
    }

    /** Does not wait for the next minute when the device is full. On the timer thread. */
    private void look() {
        DiskStatus disk = store.diskStatus();
        if (disk.state() != DiskStatus.State.FULL) {
            return;
        }
        if (disk.marginOpen()) {
            soon(); // what has expired by itself may be enough, or be removed and not be free yet
        } else {
            makeRoom();
        }
    }

    /** Has a worker make room when even the margin is used up. */
    private void makeRoom() {
        if (closed || resting || !dropping.compareAndSet(false, true)) {
            return;
        }
        try {
            workers.execute(this::dropOldest);
        } catch (RejectedExecutionException busy) {
            dropping.set(false);
        }
    }

    /** One segment at a time: the next look finds out whether that was enough. */
    private void dropOldest() {
        try {
            store.expireOldest(1, policy());
        } catch (StoreException e) {
            LOG.warn("no room made, trying again reason={}", e.getMessage());
        } finally {
            dropping.set(false);
        }
    }

    /** Runs soon, unless a run waits already. Any thread; never blocks. */
    public void soon() {
        if (closed || resting || !waiting.compareAndSet(false, true)) {
            return;
        }
        try {
            workers.execute(this::run);
        } catch (RejectedExecutionException busy) {
            waiting.set(false); // the next minute, or second on a full device, has a run of its own
        }
    }

    private void run() {
        waiting.set(false);
        if (closed || resting) {
            return;
        }
        try {
            now();
        } catch (StoreException e) {
            LOG.warn("retention run failed, the next one tries again reason={}", e.getMessage());
        }
    }

    /**
     * Runs in this call. May block.
     *
     * @throws StoreException if the run failed; the next one tries again
     */
    void now() {
        store.retain(clock.wallMillis(), policy());
    }

    /** Runs no more. */
    @Override
    public void close() {
        closed = true;
        cancel(repetition);
        cancel(looking);
    }

    private static void cancel(@Nullable Cancellable task) {
        if (task != null) {
            task.cancel();
        }
    }
}
