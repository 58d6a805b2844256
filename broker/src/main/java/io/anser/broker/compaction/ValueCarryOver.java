package io.anser.broker.compaction;

import io.anser.broker.metadata.Appender;
import io.anser.broker.metadata.LatestValues;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.ValueKept;
import io.anser.store.file.StoreException;
import io.anser.store.retention.CarryOver;
import java.nio.ByteBuffer;
import java.util.Iterator;
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
 * when the copy is committed, so nothing here has to keep senders out. One round at a time, on workers.
 */
public final class ValueCarryOver implements CarryOver {
    /** Most copies on their way into the log, so that they do not crowd out what clients send. */
    static final int MAX_BATCH = 256;

    private static final Logger LOG = LoggerFactory.getLogger(ValueCarryOver.class);

    private final LatestValues values;
    private final LongFunction<Optional<ByteBuffer>> messages;
    private final Appender log;
    private final Executor workers;
    private final AtomicBoolean running = new AtomicBoolean();
    private final AtomicLong carried = new AtomicLong();

    /**
     * Makes the carry-over of one broker.
     *
     * @param messages reads the message at a log position; may wait for the device
     * @param workers may refuse when busy
     */
    public ValueCarryOver(
            LatestValues values, LongFunction<Optional<ByteBuffer>> messages, Appender log, Executor workers) {
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
        if (values.size() == 0) {
            end.free();
        } else if (running.compareAndSet(false, true)) {
            new Round(untilPosition, end).soon();
        }
    }

    /** All that lies before one log position, some at a time. */
    private final class Round {
        private final Iterator<Long> positions;
        private final CarryOver.End end;
        private final AtomicInteger onTheirWay = new AtomicInteger();
        private final AtomicInteger kept = new AtomicInteger();
        private volatile String keptReason = "";
        private volatile boolean over;

        Round(long untilPosition, CarryOver.End end) {
            this.positions = values.positionsBefore(untilPosition).iterator();
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
                for (int i = 0; i < MAX_BATCH && positions.hasNext() && !over; i++) {
                    copy(positions.next());
                }
                over |= !positions.hasNext();
                whole = true;
            } finally {
                if (!whole) {
                    // The pool's fault handler is told. The segment stays, and a later round tries again.
                    keep("a message could not be handled");
                    over = true;
                }
                ended();
            }
        }

        private void copy(long position) {
            try {
                Optional<ByteBuffer> message = messages.apply(position);
                if (message.isEmpty()) {
                    // Damaged, or its topic was deleted: nothing is lost by its segment.
                    LOG.warn("latest message of a key cannot be read, left behind position={}", position);
                    return;
                }
                ValueAgainAppend append = new ValueAgainAppend(new ValueKept(position, message.get()), outcome());
                onTheirWay.incrementAndGet();
                append(append);
            } catch (StoreException e) {
                keep(String.valueOf(e.getMessage()));
            }
        }

        private void append(ValueAgainAppend append) {
            try {
                log.append(append);
            } catch (StoreException refused) {
                append.failed(refused);
            }
        }

        private Outcome outcome() {
            return new Outcome() {
                @Override
                public void committed() {
                    carried.incrementAndGet();
                    ended();
                }

                @Override
                public void failed(StoreException reason) {
                    // Where there is no room for one there is none for the others.
                    if (reason.kind() == StoreException.Kind.FULL) {
                        over = true;
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
            if (over) {
                finish();
            } else {
                soon();
            }
        }

        private void finish() {
            running.set(false);
            if (kept.get() == 0) {
                end.free();
            } else {
                end.kept("latest messages of keys=" + kept.get() + " cannot be appended again: " + keptReason);
            }
        }
    }
}
