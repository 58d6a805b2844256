package io.anser.broker.timer;

import io.anser.broker.append.NewMessage;
import io.anser.broker.append.StoredMessages;
import io.anser.broker.metadata.Appender;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.PendingTimer;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.Names;
import io.anser.store.file.StoreException;
import io.anser.store.retention.CarryOver;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
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
     * @param dueMessage tells whether a message can be delivered at all; used by the round alone
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
    public void carryOver(long untilPosition, Runnable free) {
        if (running.compareAndSet(false, true)) {
            new Round(untilPosition, free).next();
        }
    }

    /** All that waits before one log position. */
    private final class Round {
        private final Runnable free;
        private final List<PendingTimer> timers = new ArrayList<>();
        private final AtomicInteger onTheirWay = new AtomicInteger();
        private int at;
        private volatile boolean incomplete;

        Round(long untilPosition, Runnable free) {
            this.free = free;
            for (PendingTimer timer : state.timers().all()) {
                if (timer.position() < untilPosition) {
                    timers.add(timer);
                }
            }
        }

        /** Hands over the next batch. Its end, on the committing thread, has a worker hand over the one after it. */
        void next() {
            onTheirWay.set(1); // this call's own share: the batch ends no sooner than it is complete
            int until = Math.min(timers.size(), at + MAX_BATCH);
            while (at < until) {
                PendingTimer timer = timers.get(at++);
                if (!state.timers().contains(timer)) {
                    continue; // delivered meanwhile
                }
                if (!inFlight.add(timer)) {
                    incomplete = true; // the delivery has it
                } else if (state.timers().contains(timer)) {
                    copy(timer);
                } else {
                    inFlight.remove(timer);
                }
            }
            ended();
        }

        private void copy(PendingTimer timer) {
            onTheirWay.incrementAndGet();
            Outcome outcome = outcome(timer);
            try {
                Optional<ByteBuffer> stored = messages.message(timer.position());
                if (stored.isEmpty()) {
                    skip(timer, "it cannot be read");
                } else {
                    dueMessage.of(
                            stored.get(),
                            timer.position()); // of a topic that was deleted since, nothing is left to deliver
                    log.append(new TimerAppend(again(stored.get()), timer, outcome));
                }
            } catch (MalformedMessageException e) {
                skip(timer, String.valueOf(e.getMessage()));
            } catch (StoreException e) {
                outcome.failed(e);
            }
        }

        /** Leaves a message behind that nobody could deliver either; the delivery counts it when it is due. */
        private void skip(PendingTimer timer, String reason) {
            LOG.warn("delayed message not carried over position={} reason={}", timer.position(), reason);
            inFlight.remove(timer);
            ended();
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
                    LOG.debug("delayed message not carried over now reason={}", reason.getMessage());
                    incomplete = true;
                    inFlight.remove(timer);
                    wakeDelivery.run(); // it may have fallen due meanwhile
                    ended();
                }
            };
        }

        private void ended() {
            if (onTheirWay.decrementAndGet() > 0) {
                return;
            }
            if (at < timers.size()) {
                goOn();
                return;
            }
            running.set(false);
            if (!incomplete) {
                free.run();
            }
        }

        private void goOn() {
            try {
                workers.execute(this::next);
            } catch (RejectedExecutionException busy) {
                running.set(false); // the next removal begins another round
            }
        }
    }

    /** The same message once more, for the same queue of the schedule topic. */
    private NewMessage again(ByteBuffer stored) {
        MessageView waiting = new MessageView().wrap(stored, stored.position());
        MessageHeader header = new MessageHeader(
                waiting.queueId(),
                waiting.flag(),
                waiting.sysFlag(),
                waiting.bornTimestamp(),
                waiting.bornHost(),
                waiting.storeHost(),
                waiting.reconsumeTimes(),
                0);
        return new NewMessage(
                state.topics().find(Names.SCHEDULE_TOPIC).orElseThrow(), header, waiting.body(), waiting.properties());
    }
}
