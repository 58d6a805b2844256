package io.anser.broker.transaction;

import io.anser.broker.metadata.Appender;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.OpenTransaction;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TransactionTable;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.Names;
import io.anser.store.file.StoreException;
import io.anser.store.retention.CarryOver;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends half messages of open transactions again before their segments go. A copy names the first half message, by which
 * producers go on to know the transaction. It does not get in the way of a decision: whichever comes first in the log, the
 * message is the same, and the copy of a transaction that has ended means nothing. One round at a time, on workers.
 */
final class HalfCarryOver implements CarryOver {
    /** Most copies on their way into the log, so that they do not crowd out what clients send. */
    static final int MAX_BATCH = 256;

    private static final Logger LOG = LoggerFactory.getLogger(HalfCarryOver.class);

    private final BrokerState state;
    private final TransactionTable table;
    private final HalfLookup halves;
    private final Appender log;
    private final Executor workers;
    private final AtomicBoolean running = new AtomicBoolean();
    private final AtomicLong carried = new AtomicLong();

    HalfCarryOver(BrokerState state, HalfLookup halves, Appender log, Executor workers) {
        this.state = state;
        this.table = state.transactions();
        this.halves = halves;
        this.log = log;
        this.workers = workers;
    }

    /** Returns how many half messages were appended again since the start. */
    long carried() {
        return carried.get();
    }

    @Override
    public void carryOver(long untilPosition, CarryOver.End end) {
        if (table.open().isEmpty()) {
            end.free();
        } else if (running.compareAndSet(false, true)) {
            new Round(untilPosition, end).soon();
        }
    }

    /** All that lies before one log position, some at a time. */
    private final class Round {
        private final long untilPosition;
        private final CarryOver.End end;
        private final AtomicInteger onTheirWay = new AtomicInteger();
        private final AtomicInteger kept = new AtomicInteger();
        private volatile String keptReason = "";
        private volatile long lastId = -1;

        /** Nothing is left to hand over; written by the worker. */
        private volatile boolean over;

        /** No further copy makes sense; written by whoever finds out. */
        private volatile boolean stopped;

        Round(long untilPosition, CarryOver.End end) {
            this.untilPosition = untilPosition;
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
                over = copyBatch();
                whole = true;
            } finally {
                if (!whole) {
                    // The pool's fault handler is told. The segment stays, and a later round tries again.
                    keep("a half message could not be handled");
                    stopped = true;
                }
                ended();
            }
        }

        /** Whether nothing is left behind the batch. New transactions come in while it goes on, but none before the position. */
        private boolean copyBatch() {
            int copies = 0;
            for (Map.Entry<Long, OpenTransaction> entry :
                    table.open().tailMap(lastId, false).entrySet()) {
                OpenTransaction transaction = entry.getValue();
                if (copies == MAX_BATCH || stopped || transaction.id() >= untilPosition) {
                    return copies < MAX_BATCH; // no copy lies before its first
                }
                lastId = transaction.id();
                if (transaction.position() < untilPosition) {
                    copies++;
                    copy(transaction);
                }
            }
            return true;
        }

        private void copy(OpenTransaction transaction) {
            try {
                Optional<ByteBuffer> stored = halves.bytes(transaction);
                if (stored.isPresent()) {
                    Topic half = state.topics().find(Names.HALF_TOPIC).orElseThrow();
                    HalfAgainAppend append =
                            new HalfAgainAppend(StoredHalf.again(stored.get(), half, transaction), outcome());
                    onTheirWay.incrementAndGet();
                    append(append);
                } else {
                    leave(transaction, "it cannot be read");
                }
            } catch (MalformedMessageException e) {
                leave(transaction, String.valueOf(e.getMessage()));
            } catch (StoreException e) {
                keep(String.valueOf(e.getMessage()));
            }
        }

        private void append(HalfAgainAppend append) {
            try {
                log.append(append);
            } catch (StoreException refused) {
                append.failed(refused);
            }
        }

        /** What nobody can read is not worth its segment; the checks give it up. */
        private void leave(OpenTransaction transaction, String reason) {
            LOG.warn("half message not carried over position={} reason={}", transaction.position(), reason);
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
            running.set(false);
            if (kept.get() == 0) {
                end.free();
            } else {
                end.kept("half messages=" + kept.get() + " cannot be appended again: " + keptReason);
            }
        }
    }
}
