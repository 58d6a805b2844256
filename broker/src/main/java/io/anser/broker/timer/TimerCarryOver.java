package io.anser.broker.timer;

import io.anser.broker.append.StoredMessages;
import io.anser.broker.metadata.Appender;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.PendingTimer;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import io.anser.store.retention.CarryOver;
import java.nio.ByteBuffer;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends waiting messages again before their segments go. One atomic append holds the copy, which waits from then on, and
 * the record that the old one waits no longer; so whatever happens, the message is delivered once.
 *
 * <p>A timer on its way stands in the delivery's table of what is in flight, so that it is not fired meanwhile, and is not
 * touched when the delivery is firing it. One round at a time, on a worker.
 */
final class TimerCarryOver implements CarryOver {
    /** Most copies on their way into the log, so that they do not crowd out what clients send. */
    static final int MAX_BATCH = 256;

    private static final Logger LOG = LoggerFactory.getLogger(TimerCarryOver.class);

    private final BrokerState state;
    private final StoredMessages messages;
    private final Appender log;
    private final Set<PendingTimer> inFlight;
    private final DueMessage dueMessage;
    private final Runnable wakeDelivery;
    private final Executor workers;
    private final AtomicBoolean running = new AtomicBoolean();
    private final AtomicLong carried = new AtomicLong();

    /**
     * A carry-over beside a delivery.
     *
     * @param inFlight timers that somebody is handling, shared with the delivery
     * @param dueMessage tells whether a message can be delivered at all; used by the rounds
     * @param wakeDelivery has the delivery look again for what is due
     */
    TimerCarryOver(
            BrokerState state,
            StoredMessages messages,
            Appender log,
            Set<PendingTimer> inFlight,
            DueMessage dueMessage,
            Runnable wakeDelivery,
            Executor workers) {
        this.state = state;
        this.messages = messages;
        this.log = log;
        this.inFlight = inFlight;
        this.dueMessage = dueMessage;
        this.wakeDelivery = wakeDelivery;
        this.workers = workers;
    }

    /** Returns how many messages were appended again since the start. */
    long carried() {
        return carried.get();
    }

    @Override
    public void carryOver(long untilPosition, CarryOver.End end) {
        if (running.compareAndSet(false, true)) {
            new Round(untilPosition, end).next();
        }
    }

    /** All that waits before one log position, some at a time. */
    private final class Round {
        private final long untilPosition;
        private final CarryOver.End end;
        private final AtomicInteger onTheirWay = new AtomicInteger();
        private final AtomicInteger kept = new AtomicInteger();
        private volatile String keptReason = "";

        /** The last timer that was looked at; null before the first. */
        private volatile @Nullable PendingTimer last;

        private volatile boolean over;
        private volatile boolean stopped;

        Round(long untilPosition, CarryOver.End end) {
            this.untilPosition = untilPosition;
            this.end = end;
        }

        /** Hands over the next batch. Its end, on the committing thread, has a worker hand over the one after it. */
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
                    stopped = true;
                }
                ended();
            }
        }

        /** Whether nothing is left behind the batch. Timers come in while it goes on, but none of before the position. */
        private boolean copyBatch() {
            PendingTimer from = last;
            NavigableSet<PendingTimer> all = state.timers().all();
            int copies = 0;
            for (PendingTimer timer : from == null ? all : all.tailSet(from, false)) {
                if (copies == MAX_BATCH) {
                    return false;
                }
                last = timer;
                if (timer.position() < untilPosition && take(timer)) {
                    copies++;
                    copy(timer);
                }
            }
            return true;
        }

        /** Whether the timer still waits, and nobody else touches it from now on. */
        private boolean take(PendingTimer timer) {
            if (!state.timers().contains(timer)) {
                return false; // delivered meanwhile
            }
            if (!inFlight.add(timer)) {
                keep("it is being delivered");
                return false;
            }
            if (state.timers().contains(timer)) {
                return true;
            }
            inFlight.remove(timer);
            return false;
        }

        private void copy(PendingTimer timer) {
            onTheirWay.incrementAndGet();
            boolean handedOver = false;
            try {
                Optional<ByteBuffer> stored = messages.message(timer.position());
                if (stored.isEmpty()) {
                    skip(timer, "it cannot be read");
                } else {
                    append(timer, stored.get());
                }
                handedOver = true;
            } catch (MalformedMessageException e) {
                skip(timer, String.valueOf(e.getMessage()));
                handedOver = true;
            } catch (StoreException e) {
                refused(timer, e);
                handedOver = true;
            } finally {
                if (!handedOver) {
                    keep(timer, "a message could not be handled");
                }
            }
        }

        private void append(PendingTimer timer, ByteBuffer stored) {
            // Of a topic that was deleted since, nothing is left to deliver; of one that is deleted from here on, the
            // append
            // finds out.
            QueueLog real = dueMessage.of(stored, timer.position()).queue();
            log.append(new TimerAppend(dueMessage.again(stored).waitingFor(real), timer, outcome(timer)));
        }

        /** Leaves a message behind that nobody could deliver either; the delivery counts it when it is due. */
        private void skip(PendingTimer timer, String reason) {
            LOG.warn("delayed message not carried over position={} reason={}", timer.position(), reason);
            giveBack(timer);
        }

        private Outcome outcome(PendingTimer timer) {
            return new Outcome() {
                @Override
                public void committed() {
                    carried.incrementAndGet();
                    inFlight.remove(timer);
                    ended();
                }

                @Override
                public void failed(StoreException reason) {
                    refused(timer, reason);
                }
            };
        }

        private void refused(PendingTimer timer, StoreException reason) {
            // Where there is no room for one there is none for the others.
            if (reason.kind() == StoreException.Kind.FULL) {
                stopped = true;
            }
            keep(timer, String.valueOf(reason.getMessage()));
        }

        private void keep(PendingTimer timer, String reason) {
            keep(reason);
            giveBack(timer);
        }

        private void keep(String reason) {
            kept.incrementAndGet();
            keptReason = reason;
        }

        private void giveBack(PendingTimer timer) {
            inFlight.remove(timer);
            try {
                wakeDelivery.run(); // it may have fallen due meanwhile
            } finally {
                ended();
            }
        }

        private void ended() {
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
            running.set(false);
            if (kept.get() == 0) {
                end.free();
            } else {
                end.kept("delayed messages=" + kept.get() + " cannot be appended again: " + keptReason);
            }
        }
    }
}
