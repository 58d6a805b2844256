package io.anser.broker.append;

import io.anser.broker.metadata.Outcome;
import io.anser.store.file.StoreException;
import io.anser.store.retention.CarryOver;
import java.util.Iterator;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;

/**
 * Appends messages of one kind again before their segments go: all that lie before a log position, some at a time. A worker
 * hands over a batch; whoever ends its last append, mostly the committing thread, has a worker hand over the next one. One
 * round at a time.
 *
 * @param <T> what names a message
 */
public final class CarryOverRounds<T> implements CarryOver {
    /** Most copies on their way into the log, so that they do not crowd out what clients send. */
    public static final int MAX_BATCH = 256;

    private final String messages;
    private final LongFunction<Iterator<T>> before;
    private final Copier<T> copier;
    private final Executor workers;
    private final AtomicBoolean running = new AtomicBoolean();

    /**
     * Appends one message again.
     *
     * @param <T> what names a message
     */
    @FunctionalInterface
    public interface Copier<T> {
        /**
         * Appends a message again, tells the round why not, or leaves it behind. Called by one worker at a time; what it throws
         * ends the round as soon as the appends that are on their way have ended.
         */
        void copy(T message, Round round);
    }

    /** What a copier tells. Any thread. */
    public interface Round {
        /**
         * Notes that an append is about to be handed to the log.
         *
         * @param then told what became of it, before the round goes on
         * @return to be told what becomes of it, once
         */
        Outcome onItsWay(Outcome then);

        /** Notes that a message stays where it is, and its segment with it. */
        void keep(String reason);

        /** Notes the same of a message that could not be read or appended. */
        void keep(StoreException reason);
    }

    /**
     * Makes the rounds of one kind of messages.
     *
     * @param messages what they are, for people
     * @param before finds those that lie before a log position
     * @param workers may refuse when busy
     */
    public CarryOverRounds(String messages, LongFunction<Iterator<T>> before, Copier<T> copier, Executor workers) {
        this.messages = messages;
        this.before = before;
        this.copier = copier;
        this.workers = workers;
    }

    @Override
    public void carryOver(long untilPosition, CarryOver.End end) {
        if (running.get()) {
            return;
        }
        // Found before the round begins: what this throws keeps no later round out.
        Iterator<T> found = before.apply(untilPosition);
        if (!found.hasNext()) {
            end.free();
        } else if (running.compareAndSet(false, true)) {
            new OneRound(found, end).soon();
        }
    }

    /** All that lies before one log position. */
    private final class OneRound implements Round {
        private final Iterator<T> left;
        private final CarryOver.End end;
        private final AtomicInteger onTheirWay = new AtomicInteger();
        private final AtomicInteger kept = new AtomicInteger();
        private volatile String keptReason = "";

        /** Nothing is left to hand over; written by the worker. */
        private volatile boolean over;

        /** No further copy makes sense; written by whoever finds out. */
        private volatile boolean stopped;

        OneRound(Iterator<T> left, CarryOver.End end) {
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
                    copier.copy(left.next(), this);
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

        @Override
        public Outcome onItsWay(Outcome then) {
            onTheirWay.incrementAndGet();
            return new Outcome() {
                @Override
                public void committed() {
                    try {
                        then.committed();
                    } finally {
                        ended();
                    }
                }

                @Override
                public void failed(StoreException reason) {
                    keep(reason);
                    try {
                        then.failed(reason);
                    } finally {
                        ended();
                    }
                }
            };
        }

        @Override
        public void keep(String reason) {
            kept.incrementAndGet();
            keptReason = reason;
        }

        @Override
        public void keep(StoreException reason) {
            // Where there is no room for one there is none for the others.
            if (reason.kind() == StoreException.Kind.FULL) {
                stopped = true;
            }
            keep(String.valueOf(reason.getMessage()));
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
                end.kept(messages + "=" + kept.get() + " cannot be appended again: " + keptReason);
            }
        }
    }
}
