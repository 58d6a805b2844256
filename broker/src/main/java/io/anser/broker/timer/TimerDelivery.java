package io.anser.broker.timer;

import io.anser.broker.append.NewMessage;
import io.anser.broker.append.StoredMessages;
import io.anser.broker.metadata.Appender;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Change.TimerFired;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.PendingTimer;
import io.anser.broker.metadata.Proposals;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.operation.RecallMessage;
import io.anser.store.file.StoreException;
import io.anser.store.key.KeyQuery;
import io.anser.store.retention.CarryOver;
import io.anser.system.Cancellable;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import io.anser.transport.HandlerTable.Handler;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers every message of the schedule topic once, when it is due.
 *
 * <p>What waits is state, derived from the log. Firing is one atomic append: the real message and the record that ends
 * the wait, so that neither a crash nor a failed append can lose or double it. Timers in flight are remembered until
 * their append has ended, as the state still shows them as waiting.
 *
 * <p>Sleeps until the earliest timer is due; a new earlier one wakes it. Runs on one worker at a time: any thread may
 * {@linkplain #wake wake} it, and the fields without further note belong to the run.
 */
public final class TimerDelivery implements AutoCloseable {
    /** Most timers on their way into the log. */
    static final int MAX_IN_FLIGHT = 1024;
    /** Most timers fired in one run, so that other work of the pool gets its turn. */
    static final int MAX_BATCH = 256;
    /** Time until a timer that could not be fired is tried again. */
    static final long RETRY_MILLIS = 1000;
    /** Longest sleep: due times are of the wall clock, which may be set forward meanwhile. */
    static final long MAX_SLEEP_MILLIS = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(TimerDelivery.class);
    private static final int WARNINGS_APART = 1000;

    private final BrokerState state;
    private final StoredMessages messages;
    private final LongSupplier committedPosition;
    private final Appender log;
    private final Proposals proposals;
    private final Clock clock;
    private final Scheduler scheduler;
    private final Executor workers;
    private final Set<PendingTimer> inFlight = ConcurrentHashMap.newKeySet();
    /** Timers that could not be fired and are tried again; nobody handles them meanwhile. */
    private final Set<PendingTimer> resting = ConcurrentHashMap.newKeySet();

    private final AtomicInteger wakeUps = new AtomicInteger();
    private final AtomicLong givenUp = new AtomicLong();
    private final AtomicLong postponed = new AtomicLong();
    private final DueMessage dueMessage;
    private final TimerCarryOver carryOver;
    private @Nullable Cancellable alarm;
    private volatile boolean moreDue;
    // Due time of the timer that the alarm is for. Not that of the first timer in the state: those before it are in
    // flight, and their end wakes nobody.
    private volatile long awaitedMillis = Long.MAX_VALUE;
    private volatile boolean closed;

    /** Owned by the committing thread: earliest due time of the timers added since the last {@link #committed}. */
    private long addedMillis = Long.MAX_VALUE;

    /**
     * Makes the delivery; nothing is fired before {@link #start}.
     *
     * @param committedPosition messages before it can be read
     * @param startPosition log position before which nothing belongs to the present topic of a name
     * @param workers where it runs; may refuse when busy
     */
    public TimerDelivery(
            BrokerState state,
            StoredMessages messages,
            LongSupplier committedPosition,
            ToLongFunction<String> startPosition,
            Appender log,
            Clock clock,
            Scheduler scheduler,
            Executor workers) {
        this.state = state;
        this.messages = messages;
        this.committedPosition = committedPosition;
        this.log = log;
        this.proposals = new Proposals(log);
        this.clock = clock;
        this.scheduler = scheduler;
        this.workers = workers;
        this.dueMessage = new DueMessage(state.topics(), startPosition);
        TimerCopies copies = new TimerCopies(state, messages, log, inFlight, dueMessage, this::wake);
        this.carryOver = new TimerCarryOver(state, copies, workers);
    }

    /** Begins to deliver, first what fell due while the broker was away. */
    public void start() {
        state.timers().onAdded(this::added);
        wake();
    }

    /** Returns how many messages could not be delivered for good: unreadable, or without a topic to go to. */
    public long givenUp() {
        return givenUp.get();
    }

    /** Returns what appends waiting messages again before their segments go. */
    public CarryOver carryOver() {
        return carryOver;
    }

    /**
     * Makes the handler of operation 370, for workers.
     *
     * @param brokerName the broker whose handles count
     * @param messages finds messages by topic and unique id
     */
    public Handler<RecallMessage.Request> recallHandler(
            String brokerName, Function<KeyQuery, List<ByteBuffer>> messages) {
        return new RecallHandler(brokerName, state.topics(), recalls(messages));
    }

    /** What takes waiting messages back, found by topic and unique id. */
    Recalls recalls(Function<KeyQuery, List<ByteBuffer>> keys) {
        WaitingMessages waiting = new WaitingMessages(state.timers(), messages, keys);
        return new Recalls(state.timers(), waiting, proposals, inFlight, this::wake, clock, scheduler, workers);
    }

    /** Returns how many waiting messages were appended again because their segments had to go. */
    public long carriedOver() {
        return carryOver.carried();
    }

    /** Fires no more; what is in flight still ends. */
    @Override
    public void close() {
        closed = true;
        state.timers().onAdded(dueMillis -> {});
    }

    private void added(long dueMillis) {
        addedMillis = Math.min(addedMillis, dueMillis);
    }

    /**
     * Takes note that messages of the schedule topic were committed. The state knows their timers a moment earlier, when
     * the messages cannot be read yet. Called on the committing thread.
     */
    public void committed() {
        long earliest = addedMillis;
        addedMillis = Long.MAX_VALUE;
        if (earliest < awaitedMillis) {
            wake();
        }
    }

    /** Whether the timer's message can be read; until then the timer is as good as not there, and its commit wakes. */
    private boolean isCommitted(PendingTimer timer) {
        return timer.position() < committedPosition.getAsLong();
    }

    /** Looks for due timers soon. Any thread; never blocks. */
    private void wake() {
        if (!closed && wakeUps.getAndIncrement() == 0) {
            submit();
        }
    }

    private void submit() {
        try {
            workers.execute(this::run);
        } catch (RejectedExecutionException busy) {
            scheduler.schedule(RETRY_MILLIS, this::submit);
        }
    }

    private void run() {
        boolean ended = false;
        try {
            runUntilNobodyWakes();
            ended = true;
        } finally {
            if (!ended) {
                // The pool's fault handler is told. The timer at fault stays in flight until the next start, so that it
                // holds up no other.
                wakeUps.set(0);
                scheduler.schedule(RETRY_MILLIS, this::wake);
            }
        }
    }

    private void runUntilNobodyWakes() {
        int seen = wakeUps.get();
        do {
            if (!closed) {
                fireDue();
                sleepUntilNext();
            }
            seen = wakeUps.addAndGet(-seen);
        } while (seen != 0);
    }

    private void fireDue() {
        long now = clock.wallMillis();
        int fired = 0;
        moreDue = false;
        for (PendingTimer timer : state.timers().all()) {
            if (timer.dueMillis() > now) {
                return;
            }
            if (fired == MAX_BATCH || inFlight.size() + resting.size() >= MAX_IN_FLIGHT) {
                // The end of what is in flight wakes the next run, unless all of it ended before it could know.
                moreDue = true;
                if (inFlight.isEmpty() && resting.isEmpty()) {
                    wake();
                }
                return;
            }
            // The view may still show a timer whose append has just ended; it is gone from the state before it leaves
            // the table of what is in flight, so a second look tells.
            if (isCommitted(timer) && !resting.contains(timer) && inFlight.add(timer)) {
                if (state.timers().contains(timer)) {
                    fire(timer);
                    fired++;
                } else {
                    inFlight.remove(timer);
                }
            }
        }
    }

    private void fire(PendingTimer timer) {
        Outcome outcome = ended(timer);
        try {
            Optional<ByteBuffer> stored = messages.message(timer.position());
            if (stored.isEmpty()) {
                giveUp(timer, "it is no longer in the log", outcome);
                return;
            }
            NewMessage message = dueMessage.of(stored.get(), timer.position());
            log.append(new TimerAppend(message, timer, outcome));
        } catch (MalformedMessageException e) {
            giveUp(timer, String.valueOf(e.getMessage()), outcome);
        } catch (StoreException e) {
            outcome.failed(e);
        }
    }

    private void giveUp(PendingTimer timer, String reason, Outcome outcome) {
        long count = givenUp.incrementAndGet();
        if (count % WARNINGS_APART == 1) {
            LOG.warn("delayed message given up position={} count={} reason={}", timer.position(), count, reason);
        }
        proposals.propose(new TimerFired(timer), outcome);
    }

    private Outcome ended(PendingTimer timer) {
        return new Outcome() {
            @Override
            public void committed() {
                forget(timer);
            }

            @Override
            public void failed(StoreException reason) {
                long count = postponed.incrementAndGet();
                if (count % WARNINGS_APART == 1) {
                    LOG.warn("delayed message not delivered yet count={} reason={}", count, reason.getMessage());
                }
                resting.add(timer);
                inFlight.remove(timer);
                scheduler.schedule(RETRY_MILLIS, () -> {
                    resting.remove(timer);
                    wake();
                });
            }
        };
    }

    private void forget(PendingTimer timer) {
        inFlight.remove(timer);
        if (moreDue) {
            wake();
        }
    }

    private void sleepUntilNext() {
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
        if (moreDue) {
            // The end of what is in flight wakes the next run, a new timer need not.
            awaitedMillis = Long.MIN_VALUE;
            return;
        }
        // Before the look: a timer that is added while it goes on wakes another run.
        awaitedMillis = Long.MAX_VALUE;
        long now = clock.wallMillis();
        for (PendingTimer timer : state.timers().all()) {
            if (isCommitted(timer) && !inFlight.contains(timer) && !resting.contains(timer)) {
                awaitedMillis = timer.dueMillis();
                long sleep = Math.min(Math.max(0, timer.dueMillis() - now), MAX_SLEEP_MILLIS);
                alarm = scheduler.schedule(sleep, this::wake);
                long left = timer.dueMillis() - clock.wallMillis();
                if (left <= 0 || left < sleep) {
                    wake(); // time has passed since the last look, perhaps before the alarm was set
                }
                return;
            }
        }
    }
}
