package io.anser.broker.transaction;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.OpenTransaction;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.TransactionChange.TransactionChecked;
import io.anser.broker.metadata.TransactionListener;
import io.anser.broker.metadata.TransactionTable;
import io.anser.store.file.StoreException;
import io.anser.system.Cancellable;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import io.netty.buffer.Unpooled;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks producers about transactions that nobody decides, and gives up those that were asked about often enough. Each
 * transaction has its own time; what cannot be read or asked now is put off, and holds up no other.
 *
 * <p>Once a second a look is taken for what is due, which one worker at a time handles. The committing thread keeps the list
 * of due times in step with the state.
 */
final class CheckBacks implements AutoCloseable {
    /** Time between two looks. */
    static final long LOOK_MILLIS = 1_000;

    /** Most transactions handled after one look: clients refuse what comes faster than they answer. */
    static final int MAX_PER_LOOK = 2_000;

    private static final Logger LOG = LoggerFactory.getLogger(CheckBacks.class);
    private static final int WARNINGS_APART = 1000;

    private final TransactionTable table;
    private final HalfLookup halves;
    private final Decisions decisions;
    private final Producers producers;
    private final Proposals proposals;
    private final CheckTimes times;
    private final Clock clock;
    private final Scheduler scheduler;
    private final Executor workers;
    private final ConcurrentSkipListSet<DueCheck> due = new ConcurrentSkipListSet<>();

    private final ParkedChecks parked = new ParkedChecks();
    // Counts questions, so that the producers of a group take turns.
    private final AtomicInteger turn = new AtomicInteger();
    private final AtomicBoolean running = new AtomicBoolean();
    private final AtomicLong putOff = new AtomicLong();
    private volatile @Nullable Cancellable looking;
    private volatile boolean closed;

    /** A time at which a transaction is looked at. An entry whose transaction has another time by now means nothing. */
    private record DueCheck(long millis, long id) implements Comparable<DueCheck> {
        @Override
        public int compareTo(DueCheck other) {
            int byTime = Long.compare(millis, other.millis);
            return byTime != 0 ? byTime : Long.compare(id, other.id);
        }
    }

    CheckBacks(
            TransactionTable table,
            HalfLookup halves,
            Decisions decisions,
            Producers producers,
            Proposals proposals,
            CheckTimes times,
            Clock clock,
            Scheduler scheduler,
            Executor workers) {
        this.table = table;
        this.halves = halves;
        this.decisions = decisions;
        this.producers = producers;
        this.proposals = proposals;
        this.times = times;
        this.clock = clock;
        this.scheduler = scheduler;
        this.workers = workers;
    }

    /** Begins to ask, from the transactions as they are. On the committing thread, as the end of a rest. */
    void start() {
        rest(); // what was due when this broker led before may have ended since
        table.onChange(new TransactionListener() {
            @Override
            public void opened(OpenTransaction transaction) {
                due.add(dueCheck(transaction));
            }

            @Override
            public void closed(OpenTransaction transaction) {
                due.remove(dueCheck(transaction));
                due.remove(abandoned(transaction));
                parked.forget(transaction.id());
            }
        });
        table.open().values().forEach(transaction -> due.add(dueCheck(transaction)));
        looking = scheduler.every(LOOK_MILLIS, this::look);
    }

    private DueCheck dueCheck(OpenTransaction transaction) {
        return new DueCheck(times.nextMillis(transaction), transaction.id());
    }

    private DueCheck abandoned(OpenTransaction transaction) {
        return new DueCheck(times.abandonedMillis(transaction), transaction.id());
    }

    /** Asks no more, until it is started again. */
    void rest() {
        table.onChange(TransactionListener.NOBODY);
        Cancellable task = looking;
        if (task != null) {
            task.cancel();
        }
        looking = null;
        due.clear();
        parked.clear();
    }

    /** Asks no more. */
    @Override
    public void close() {
        closed = true;
        rest();
    }

    private void look() {
        unpark();
        if (!closed && isAnythingDue() && running.compareAndSet(false, true)) {
            submit();
        }
    }

    private boolean isAnythingDue() {
        DueCheck first = due.ceiling(new DueCheck(Long.MIN_VALUE, Long.MIN_VALUE)); // null, where first() would throw
        return first != null && first.millis() <= clock.wallMillis();
    }

    private void submit() {
        try {
            workers.execute(this::run);
        } catch (RejectedExecutionException busy) {
            running.set(false); // the next look tries again
        }
    }

    /** Has those be asked about whose producers have come. */
    private void unpark() {
        long now = clock.wallMillis();
        parked.release(group -> producers.any(group, 0).isPresent(), id -> due.add(new DueCheck(now, id)));
    }

    private void run() {
        try {
            handleDue(clock.wallMillis());
        } finally {
            running.set(false);
        }
    }

    private void handleDue(long now) {
        for (int handled = 0; handled < MAX_PER_LOOK; handled++) {
            DueCheck next = due.pollFirst();
            if (next == null) {
                return;
            }
            if (next.millis() > now) {
                due.add(next);
                return;
            }
            boolean done = false;
            try {
                handle(next.id(), now);
                done = true;
            } finally {
                if (!done) {
                    again(next.id(), now); // whatever is wrong with it, it is not forgotten
                }
            }
        }
    }

    private void handle(long id, long now) {
        Optional<OpenTransaction> open = table.find(id);
        if (open.isEmpty() || times.nextMillis(open.get()) > now) {
            return; // decided meanwhile, or asked about, and so in the list with another time
        }
        OpenTransaction transaction = open.get();
        if (decisions.isInFlight(id)) {
            again(id, now);
        } else if (times.isExhausted(transaction)) {
            giveUp(transaction, "producers were asked " + transaction.checks() + " times", now);
        } else if (times.abandonedMillis(transaction) <= now) {
            giveUp(transaction, "no producer came to be asked", now);
        } else {
            check(transaction, now);
        }
    }

    private void check(OpenTransaction transaction, long now) {
        Optional<StoredHalf> half;
        try {
            half = halves.find(transaction);
        } catch (StoreException e) {
            putOff(transaction, String.valueOf(e.getMessage()), now);
            return;
        }
        if (half.isEmpty()) {
            // Counts as a check, so that it is given up in the end.
            count(transaction, now);
            return;
        }
        Optional<Producers.Producer> producer = producers.any(half.get().group(), turn.getAndIncrement());
        if (producer.isEmpty()) {
            park(half.get().group(), transaction);
            return;
        }
        producer.get()
                .ask(
                        half.get().question(transaction),
                        Unpooled.wrappedBuffer(half.get().questionBody(transaction)));
        count(transaction, now);
    }

    /** Nobody reads the message again until a producer of its group comes, or the time is up. */
    private void park(String group, OpenTransaction transaction) {
        parked.park(group, transaction.id());
        due.add(abandoned(transaction));
        if (table.find(transaction.id()).isEmpty()) {
            parked.forget(transaction.id()); // it ended meanwhile, and its end has found nothing to forget
        }
    }

    private void count(OpenTransaction transaction, long now) {
        TransactionChecked checked = new TransactionChecked(transaction.id(), transaction.checks() + 1, now);
        proposals.propose(checked, new Outcome() {
            @Override
            public void committed() {} // the state's listener has noted the next time

            @Override
            public void failed(StoreException reason) {
                putOff(transaction, String.valueOf(reason.getMessage()), now);
            }
        });
    }

    private void giveUp(OpenTransaction transaction, String reason, long now) {
        decisions.giveUp(transaction, reason, new Decisions.Asker() {
            @Override
            public void ended() {}

            @Override
            public void refused(Refusal refusal) {
                putOff(transaction, refusal.remark(), now); // of no meaning if it was decided meanwhile
            }
        });
    }

    private void putOff(OpenTransaction transaction, String reason, long now) {
        long count = putOff.incrementAndGet();
        if (count % WARNINGS_APART == 1) {
            LOG.warn("transaction put off position={} count={} reason={}", transaction.id(), count, reason);
        }
        again(transaction.id(), now);
    }

    private void again(long id, long now) {
        due.add(new DueCheck(times.againMillis(now), id));
    }
}
