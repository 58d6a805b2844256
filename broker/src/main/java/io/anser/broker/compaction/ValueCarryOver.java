package io.anser.broker.compaction;

import io.anser.broker.metadata.Appender;
import io.anser.broker.metadata.LatestValue;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.ValueKept;
import io.anser.store.file.StoreException;
import io.anser.store.retention.CarryOver;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends the latest messages of keys again before their segments go. A copy counts only if its message is still the latest
 * when the copy is committed, so nothing here has to keep senders out. What cannot be read is the latest of nothing from
 * then on. One round at a time, on workers.
 */
public final class ValueCarryOver implements CarryOver {
    /** Most copies on their way into the log, so that they do not crowd out what clients send. */
    static final int MAX_BATCH = 256;

    private static final Logger LOG = LoggerFactory.getLogger(ValueCarryOver.class);

    private final LongFunction<List<LatestValue>> values;
    private final LongFunction<Optional<ByteBuffer>> messages;
    private final Appender log;
    private final Executor workers;
    private final AtomicBoolean running = new AtomicBoolean();
    private final AtomicLong carried = new AtomicLong();

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
        this.values = values;
        this.messages = messages;
        this.log = log;
        this.workers = workers;
    }

    /** Returns how many messages were appended again since the start. */
    public long carried() {
        return carried.get();
    }

    @Override
    public void carryOver(long untilPosition, CarryOver.End end) {
        if (running.get()) {
            return;
        }
        // Found before the round begins: what this throws keeps no later round out.
        List<LatestValue> found = values.apply(untilPosition);
        if (found.isEmpty()) {
            end.free();
        } else if (running.compareAndSet(false, true)) {
            new Round(found.iterator(), end).soon();
        }
    }

    /** All that lies before one log position, some at a time. */
    private final class Round {
        private final Iterator<LatestValue> left;
        private final CarryOver.End end;
        private final AtomicInteger onTheirWay = new AtomicInteger();
        private final AtomicInteger kept = new AtomicInteger();
        private final AtomicInteger lost = new AtomicInteger();
        private volatile String keptReason = "";

        /** Nothing is left to hand over; written by the worker. */
        private volatile boolean over;

        /** No further batch makes sense; written by whoever finds out. */
        private volatile boolean stopped;

        Round(Iterator<LatestValue> left, CarryOver.End end) {
            this.left = left;
            this.end = end;
        }

        /** Has a worker hand over the next batch: the caller may be the committing thread. */
        void soon() {
            try {
                workers.execute(this::next);
            } catch (RejectedExecutionException busy) {
                keep("the workers are busy");
                finish();
            }
        }

        private void next() {
            onTheirWay.set(1); // this call's own share: the batch ends no sooner than it is complete
            boolean whole = false;
            try {
                for (int i = 0; i < MAX_BATCH && left.hasNext() && !stopped; i++) {
                    handOver(left.next());
                }
                over = !left.hasNext();
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

        private void handOver(LatestValue value) {
            try {
                Optional<ByteBuffer> message = messages.apply(value.position());
                append(message.map(bytes -> ValueAppend.again(
                                new ValueKept(value.position(), bytes), outcome(carried::incrementAndGet)))
                        // Damaged: the value would count for ever. Where its topic was deleted that means nothing.
                        .orElseGet(() -> ValueAppend.lost(value.lost(), outcome(lost::incrementAndGet))));
            } catch (StoreException e) {
                keep(String.valueOf(e.getMessage()));
            }
        }

        private void append(ValueAppend append) {
            onTheirWay.incrementAndGet();
            try {
                log.append(append);
            } catch (StoreException refused) {
                append.failed(refused);
            }
        }

        private Outcome outcome(Runnable count) {
            return new Outcome() {
                @Override
                public void committed() {
                    count.run();
                    ended();
                }

                @Override
                public void failed(StoreException reason) {
                    // Where there is no room for one there is none for the others.
                    if (reason.kind() == StoreException.Kind.FULL) {
                        stopped = true;
                    }
                    keep(String.valueOf(reason.getMessage()));
                    ended();
                }
            };
        }

        private void keep(String reason) {
            kept.incrementAndGet();
            keptReason = reason;
        }

        private void ended() {
            if (onTheirWay.decrementAndGet() > 0) {
                return;
            }
            if (over || stopped) {
                finish();
            } else {
                soon();
            }
        }

        private void finish() {
            if (lost.get() > 0) {
                LOG.warn("latest messages of keys cannot be read and are given up count={}", lost);
            }
            running.set(false);
            if (kept.get() == 0) {
                end.free();
            } else {
                end.kept("latest messages of keys=" + kept.get() + " cannot be appended again: " + keptReason);
            }
        }
    }
}
