package io.anser.broker.transaction;

import io.anser.broker.append.CarryOverRounds;
import io.anser.broker.append.CarryOverRounds.Round;
import io.anser.broker.append.NewMessage;
import io.anser.broker.metadata.Appender;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.OpenTransaction;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.Topic;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.Names;
import io.anser.store.file.StoreException;
import io.anser.store.retention.CarryOver;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends half messages of open transactions again before their segments go. A copy names the first half message, by which
 * producers go on to know the transaction. It does not get in the way of a decision: whichever comes first in the log, the
 * message is the same, and the copy of a transaction that has ended means nothing.
 */
final class HalfCarryOver implements CarryOver {
    private static final Logger LOG = LoggerFactory.getLogger(HalfCarryOver.class);

    private final BrokerState state;
    private final HalfLookup halves;
    private final Appender log;
    private final CarryOverRounds<OpenTransaction> rounds;
    private final AtomicLong carried = new AtomicLong();
    private final Outcome counted = new Outcome() {
        @Override
        public void committed() {
            carried.incrementAndGet();
        }

        @Override
        public void failed(StoreException reason) {
            // The round tells it.
        }
    };

    HalfCarryOver(BrokerState state, HalfLookup halves, Appender log, Executor workers) {
        this.state = state;
        this.halves = halves;
        this.log = log;
        this.rounds = new CarryOverRounds<>("half messages", this::before, this::copy, workers);
    }

    /** Returns how many half messages were appended again since the start. */
    long carried() {
        return carried.get();
    }

    @Override
    public void carryOver(long untilPosition, CarryOver.End end) {
        rounds.carryOver(untilPosition, end);
    }

    /** New transactions come in while a round goes on, but none before the position. */
    private Iterator<OpenTransaction> before(long untilPosition) {
        return state.transactions().open().values().stream()
                .takeWhile(transaction -> transaction.id() < untilPosition) // no copy lies before its first
                .filter(transaction -> transaction.position() < untilPosition)
                .iterator();
    }

    private void copy(OpenTransaction transaction, Round round) {
        try {
            Optional<ByteBuffer> stored = halves.bytes(transaction);
            if (stored.isPresent()) {
                Topic half = state.topics().find(Names.HALF_TOPIC).orElseThrow();
                append(StoredHalf.again(stored.get(), half, transaction), round);
            } else {
                leave(transaction, "it cannot be read");
            }
        } catch (MalformedMessageException e) {
            leave(transaction, String.valueOf(e.getMessage()));
        } catch (StoreException e) {
            round.keep(e);
        }
    }

    private void append(NewMessage again, Round round) {
        HalfAgainAppend append = new HalfAgainAppend(again, round.onItsWay(counted));
        try {
            log.append(append);
        } catch (StoreException refused) {
            append.failed(refused);
        }
    }

    /** What nobody can read is not worth its segment; the checks give it up. */
    private static void leave(OpenTransaction transaction, String reason) {
        LOG.warn("half message not carried over position={} reason={}", transaction.position(), reason);
    }
}
