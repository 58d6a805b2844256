package io.anser.broker.compaction;

import io.anser.broker.append.CarryOverRounds;
import io.anser.broker.append.CarryOverRounds.Round;
import io.anser.broker.metadata.Appender;
import io.anser.broker.metadata.LatestValue;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.ValueKept;
import io.anser.store.file.StoreException;
import io.anser.store.retention.CarryOver;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends the latest messages of keys again before their segments go. A copy counts only if its message is still the latest
 * when the copy is committed, so nothing here has to keep senders out. What cannot be read is the latest of nothing from
 * then on.
 */
public final class ValueCarryOver implements CarryOver {
    private static final Logger LOG = LoggerFactory.getLogger(ValueCarryOver.class);

    private final LongFunction<Optional<ByteBuffer>> messages;
    private final Appender log;
    private final CarryOverRounds<LatestValue> rounds;
    private final AtomicLong carried = new AtomicLong();

    /** Those of the round that goes on. */
    private final AtomicLong lost = new AtomicLong();

    /**
     * Makes the carry-over of one broker.
     *
     * @param values finds those that lie before a log position
     * @param messages reads the message at a log position; may wait for the device
     * @param workers may refuse when busy
     */
    public ValueCarryOver(
            LongFunction<List<LatestValue>> values,
            LongFunction<Optional<ByteBuffer>> messages,
            Appender log,
            Executor workers) {
        this.messages = messages;
        this.log = log;
        this.rounds = new CarryOverRounds<>(
                "latest messages of keys", until -> values.apply(until).iterator(), this::copy, workers);
    }

    /** Returns how many messages were appended again since the start. */
    public long carried() {
        return carried.get();
    }

    @Override
    public void carryOver(long untilPosition, CarryOver.End end) {
        rounds.carryOver(untilPosition, new CarryOver.End() {
            @Override
            public void free() {
                warnOfLost();
                end.free();
            }

            @Override
            public void kept(String reason) {
                warnOfLost();
                end.kept(reason);
            }
        });
    }

    private void warnOfLost() {
        long count = lost.getAndSet(0);
        if (count > 0) {
            LOG.warn("latest messages of keys cannot be read and are given up count={}", count);
        }
    }

    private void copy(LatestValue value, Round round) {
        Optional<ByteBuffer> message;
        try {
            message = messages.apply(value.position());
        } catch (StoreException e) {
            round.keep(e);
            return;
        }
        ValueAppend append = message.map(bytes -> ValueAppend.again(
                        new ValueKept(value.position(), bytes),
                        round.onItsWay(whenCommitted(carried::incrementAndGet))))
                // Damaged: the value would count for ever. Where its topic was deleted that means nothing.
                .orElseGet(() -> ValueAppend.lost(value.lost(), round.onItsWay(whenCommitted(lost::incrementAndGet))));
        try {
            log.append(append);
        } catch (StoreException refused) {
            append.failed(refused);
        }
    }

    private static Outcome whenCommitted(Runnable action) {
        return new Outcome() {
            @Override
            public void committed() {
                action.run();
            }

            @Override
            public void failed(StoreException reason) {
                // The round tells it.
            }
        };
    }
}
