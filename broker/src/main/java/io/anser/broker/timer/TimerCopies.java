package io.anser.broker.timer;

import io.anser.broker.append.CarryOverRounds.Round;
import io.anser.broker.append.NewMessage;
import io.anser.broker.append.StoredMessages;
import io.anser.broker.metadata.Appender;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.PendingTimer;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends single waiting messages again. One atomic append holds the copy, which waits from then on, and the record that the
 * old one waits no longer; so whatever happens, the message is delivered once. A timer on its way stands in the delivery's
 * table of what is in flight, so that it is not fired meanwhile, and is not touched when the delivery is firing it.
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

    /** Finds those that lie before a log position. Timers come in while they are walked over, but none of before it. */
    Iterator<PendingTimer> before(long untilPosition) {
        return state.timers().all().stream()
                .filter(timer -> timer.position() < untilPosition)
                .iterator();
    }

    /** Whether the timer still waits, and nobody else touches it from now on. */
    private boolean take(PendingTimer timer, Round round) {
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

    /** Appends the message of a timer again, if it still waits. */
    void copy(PendingTimer timer, Round round) {
        if (!take(timer, round)) {
            return;
        }
        boolean handedOver = false;
        try {
            handedOver = tryToCopy(timer, round);
        } finally {
            if (!handedOver) {
                giveBack(timer);
            }
        }
    }

    /** Whether the append gives the timer back. */
    private boolean tryToCopy(PendingTimer timer, Round round) {
        try {
            Optional<ByteBuffer> stored = messages.message(timer.position());
            if (stored.isPresent()) {
                append(timer, round, again(timer, stored.get()));
                return true;
            }
            skip(timer, "it cannot be read");
        } catch (MalformedMessageException e) {
            skip(timer, String.valueOf(e.getMessage()));
        } catch (StoreException e) {
            round.keep(e);
        }
        return false;
    }

    private NewMessage again(PendingTimer timer, ByteBuffer stored) {
        // Of a topic that was deleted since, nothing is left to deliver. Of one that is deleted from here on, the log
        // writer finds out.
        QueueLog real = dueMessage.of(stored, timer.position()).queue();
        return dueMessage.again(stored, timer).waitingFor(real);
    }

    private void append(PendingTimer timer, Round round, NewMessage again) {
        TimerAppend append = TimerAppend.again(again, timer, round.onItsWay(outcome(timer)));
        try {
            log.append(append);
        } catch (StoreException refused) {
            append.failed(refused);
        }
    }

    private Outcome outcome(PendingTimer timer) {
        return new Outcome() {
            @Override
            public void committed() {
                carried.incrementAndGet();
                giveBack(timer);
            }

            @Override
            public void failed(StoreException reason) {
                giveBack(timer);
            }
        };
    }

    /** Leaves a message behind that nobody could deliver either; the delivery counts it when it is due. */
    private static void skip(PendingTimer timer, String reason) {
        LOG.warn("delayed message not carried over position={} reason={}", timer.position(), reason);
    }

    private void giveBack(PendingTimer timer) {
        inFlight.remove(timer);
        backToDelivery.accept(timer); // it may have fallen due meanwhile, or others that found too many in flight
    }
}
