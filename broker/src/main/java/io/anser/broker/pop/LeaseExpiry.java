package io.anser.broker.pop;

import io.anser.broker.append.MessagesAndChange;
import io.anser.broker.append.NewMessage;
import io.anser.broker.append.RetryRule;
import io.anser.broker.metadata.Appender;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Lease;
import io.anser.broker.metadata.LeaseChange.Settled;
import io.anser.broker.metadata.LeaseId;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.QueueLeases;
import io.anser.broker.metadata.QueueLeases.Claim;
import io.anser.broker.metadata.QueueLeases.Left;
import io.anser.broker.metadata.TopicCreation;
import io.anser.broker.pop.ExpiredMessages.Copy;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.body.TopicConfig;
import io.anser.store.file.StoreException;
import io.anser.system.Cancellable;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends leases whose time is over: their messages go to the group's retry topic or its dead letters, or, popped in order, are
 * there to be popped again. Looks every {@value #SWEEP_MILLIS} ms, on one worker at a time.
 */
public final class LeaseExpiry implements AutoCloseable {
    /** Time between two looks: a message is visible again this much late at most. */
    static final long SWEEP_MILLIS = 500;
    /** Most leases whose end is on its way into the log. */
    static final int MAX_IN_FLIGHT = 64;

    private static final Logger LOG = LoggerFactory.getLogger(LeaseExpiry.class);

    private final BrokerState state;
    private final PopTopics topics;
    private final Pops pops;
    private final ExpiredMessages messages;
    private final TopicCreation creation;
    private final Appender log;
    private final Clock clock;
    private final Scheduler scheduler;
    private final Executor workers;
    /** How often a look was due since the last one ended. */
    private final AtomicInteger due = new AtomicInteger();

    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile @Nullable Cancellable timer;

    LeaseExpiry(
            BrokerState state,
            PopTopics topics,
            Pops pops,
            ExpiredMessages messages,
            TopicCreation creation,
            Appender log,
            Clock clock,
            Scheduler scheduler,
            Executor workers) {
        this.state = state;
        this.topics = topics;
        this.pops = pops;
        this.messages = messages;
        this.creation = creation;
        this.log = log;
        this.clock = clock;
        this.scheduler = scheduler;
        this.workers = workers;
    }

    /** Begins to look. */
    public void start() {
        timer = scheduler.every(SWEEP_MILLIS, this::sweepSoon);
    }

    /** Looks no more; what is in flight still ends. */
    @Override
    public void close() {
        Cancellable running = timer;
        if (running != null) {
            running.cancel();
        }
    }

    private void sweepSoon() {
        boolean idle = state.leases().all().isEmpty() && topics.all().isEmpty();
        if (idle || due.getAndIncrement() > 0) {
            return;
        }
        try {
            workers.execute(this::sweepUntilDone);
        } catch (RejectedExecutionException busy) {
            due.set(0); // the next look is soon
        }
    }

    private void sweepUntilDone() {
        boolean ended = false;
        try {
            int seen = due.get();
            do {
                sweep(clock.wallMillis());
                seen = due.addAndGet(-seen);
            } while (seen != 0);
            ended = true;
        } finally {
            if (!ended) {
                due.set(0); // the pool's fault handler is told
            }
        }
    }

    private void sweep(long nowMillis) {
        state.leases().all().forEach((key, leases) -> {
            if (leases.live() > 0) {
                leases.left(nowMillis).forEach(left -> expire(key, leases, left));
            }
        });
        topics.all().forEach(this::recordSkipped);
    }

    /** Puts into the log how far filters have passed over messages, so that the group's offset shows it. */
    private void recordSkipped(PopTopic topic) {
        for (PopQueue queue : topic.queues()) {
            if (queue.hasSkipped() && queue.acquire()) {
                List<Take> skipped;
                boolean tell;
                try {
                    skipped = queue.skipped().stream().toList();
                } finally {
                    tell = queue.release();
                }
                pops.record(topic, skipped);
                if (tell) {
                    topic.line().signal();
                }
            }
        }
    }

    private void expire(QueueKey key, QueueLeases leases, Left left) {
        SubscriptionGroupConfig group =
                state.groups().find(key.group()).orElseGet(() -> SubscriptionGroupConfig.defaults(key.group()));
        if (left.lease().ordered()) {
            int exhausted = exhausted(left, group);
            if (exhausted == 0) {
                tell(key);
                return;
            }
            move(key, leases, left.id(), left.lease(), exhausted, group);
        } else {
            move(key, leases, left.id(), left.lease(), left.left(), group);
        }
    }

    /** The bits of those messages popped in order that have had all their tries. */
    private static int exhausted(Left left, SubscriptionGroupConfig group) {
        int mask = 0;
        byte[] attempts = left.lease().attempts();
        for (int place = 0; place < attempts.length; place++) {
            if (RetryRule.isExhausted(attempts[place], -1, group)) {
                mask |= 1 << place;
            }
        }
        return mask & left.left();
    }

    private void move(
            QueueKey key, QueueLeases leases, LeaseId id, Lease lease, int mask, SubscriptionGroupConfig group) {
        if (inFlight.get() >= MAX_IN_FLIGHT || leases.claimMove(id, mask) != Claim.MARKED) {
            return; // the next look comes soon
        }
        inFlight.incrementAndGet();
        Outcome end = new MoveEnd(key, leases, id, mask);
        try {
            List<Copy> copies = messages.copies(key, lease, mask, group);
            Settled settled = new Settled(key, id, mask);
            Queue<TopicConfig> targets = new ArrayDeque<>(
                    new LinkedHashSet<>(copies.stream().map(Copy::topic).toList()));
            append(targets, copies, settled, end);
        } catch (RuntimeException e) {
            end.failed(reason(e)); // the others are moved nevertheless
        } catch (Error e) {
            end.failed(reason(e));
            throw e;
        }
    }

    private static StoreException reason(Throwable thrown) {
        return thrown instanceof StoreException known
                ? known
                : new StoreException(StoreException.Kind.IO, "an expired lease could not be moved: " + thrown, thrown);
    }

    /** Appends the copies when their topics are there, which are made one after another. */
    private void append(Queue<TopicConfig> targets, List<Copy> copies, Settled settled, Outcome end) {
        TopicConfig target = targets.poll();
        if (target == null) {
            List<NewMessage> made = copies.stream().map(messages::message).toList();
            log.append(new MessagesAndChange(made, settled, end));
            return;
        }
        creation.ensure(target, new Outcome() {
            @Override
            public void committed() {
                try {
                    append(targets, copies, settled, end);
                } catch (RuntimeException e) {
                    end.failed(reason(e));
                } catch (Error e) {
                    end.failed(reason(e));
                    throw e;
                }
            }

            @Override
            public void failed(StoreException reason) {
                end.failed(reason);
            }
        });
    }

    private void tell(QueueKey key) {
        topics.find(key)
                .ifPresent(topic -> topic.queue(key.topic(), key.queueId())
                        .filter(PopQueue::isAwaited)
                        .ifPresent(awaited -> topic.line().signal()));
    }

    /** The end of a lease on its way into the log. */
    private final class MoveEnd implements Outcome {
        private final QueueKey key;
        private final QueueLeases leases;
        private final LeaseId id;
        private final int mask;

        MoveEnd(QueueKey key, QueueLeases leases, LeaseId id, int mask) {
            this.key = key;
            this.leases = leases;
            this.id = id;
            this.mask = mask;
        }

        @Override
        public void committed() {
            inFlight.decrementAndGet();
            tell(key);
        }

        @Override
        public void failed(StoreException reason) {
            inFlight.decrementAndGet();
            leases.release(id, mask);
            LOG.warn(
                    "popped messages not moved to another try yet group={} topic={} reason={}",
                    key.group(),
                    key.topic(),
                    reason.getMessage());
        }
    }
}
