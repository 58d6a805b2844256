package io.anser.broker.timer;

import io.anser.broker.append.StoredMessages;
import io.anser.broker.metadata.Appender;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.PendingTimer;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends single waiting messages again, for a {@link CarryOverRound}. A timer on its way stands in the delivery's table of
 * what is in flight, so that it is not fired meanwhile, and is not touched when the delivery is firing it.
 */
final class TimerCopies {
    private static final Logger LOG = LoggerFactory.getLogger(TimerCopies.class);

    private final BrokerState state;
    private final StoredMessages messages;
    private final Appender log;
    private final Set<PendingTimer> inFlight;
    private final DueMessage dueMessage;
    private final Consumer<PendingTimer> backToDelivery;
    private final AtomicLong carried = new AtomicLong();

    /**
     * Copies beside a delivery.
     *
     * @param inFlight timers that somebody is handling, shared with the delivery
     * @param dueMessage tells whether a message can be delivered at all; used by the rounds
     * @param backToDelivery has the delivery look at a timer again, and for what is due
     */
    TimerCopies(
            BrokerState state,
            StoredMessages messages,
            Appender log,
            Set<PendingTimer> inFlight,
            DueMessage dueMessage,
            Consumer<PendingTimer> backToDelivery) {
        this.state = state;
        this.messages = messages;
        this.log = log;
        this.inFlight = inFlight;
        this.dueMessage = dueMessage;
        this.backToDelivery = backToDelivery;
    }

    /** Returns how many messages were appended again since the start. */
    long carried() {
        return carried.get();
    }

    /** Whether the timer still waits, and nobody else touches it from now on. */
    boolean take(PendingTimer timer, CarryOverRound round) {
        if (!state.timers().contains(timer)) {
            return false; // delivered meanwhile
        }
        if (!inFlight.add(timer)) {
            round.keep("it is being delivered");
            return false;
        }
        if (state.timers().contains(timer)) {
            return true;
        }
        inFlight.remove(timer);
        backToDelivery.accept(timer); // it may have found too many in flight
        return false;
    }

    /** Appends the message of a timer that was taken; the round is told when that has ended, however it ends. */
    void copy(PendingTimer timer, CarryOverRound round) {
        boolean handedOver = false;
        try {
            Optional<ByteBuffer> stored = messages.message(timer.position());
            if (stored.isEmpty()) {
                skip(timer, round, "it cannot be read");
            } else {
                append(timer, round, stored.get());
            }
            handedOver = true;
        } catch (MalformedMessageException e) {
            skip(timer, round, String.valueOf(e.getMessage()));
            handedOver = true;
        } catch (StoreException e) {
            refused(timer, round, e);
            handedOver = true;
        } finally {
            if (!handedOver) {
                keep(timer, round, "a message could not be handled");
            }
        }
    }

    private void append(PendingTimer timer, CarryOverRound round, ByteBuffer stored) {
        // Of a topic that was deleted since, nothing is left to deliver. Of one that is deleted from here on, the log
        // writer finds out.
        QueueLog real = dueMessage.of(stored, timer.position()).queue();
        log.append(TimerAppend.again(dueMessage.again(stored, timer).waitingFor(real), timer, outcome(timer, round)));
    }

    private Outcome outcome(PendingTimer timer, CarryOverRound round) {
        return new Outcome() {
            @Override
            public void committed() {
                carried.incrementAndGet();
                giveBack(timer, round);
            }

            @Override
            public void failed(StoreException reason) {
                refused(timer, round, reason);
            }
        };
    }

    /** Leaves a message behind that nobody could deliver either; the delivery counts it when it is due. */
    private void skip(PendingTimer timer, CarryOverRound round, String reason) {
        LOG.warn("delayed message not carried over position={} reason={}", timer.position(), reason);
        giveBack(timer, round);
    }

    private void refused(PendingTimer timer, CarryOverRound round, StoreException reason) {
        // Where there is no room for one there is none for the others.
        if (reason.kind() == StoreException.Kind.FULL) {
            round.stop();
        }
        keep(timer, round, String.valueOf(reason.getMessage()));
    }

    private void keep(PendingTimer timer, CarryOverRound round, String reason) {
        round.keep(reason);
        giveBack(timer, round);
    }

    private void giveBack(PendingTimer timer, CarryOverRound round) {
        inFlight.remove(timer);
        try {
            backToDelivery.accept(timer); // it may have fallen due meanwhile, or others that found too many in flight
        } finally {
            round.ended();
        }
    }
}
