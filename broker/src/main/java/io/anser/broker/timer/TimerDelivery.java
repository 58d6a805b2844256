package io.anser.broker.timer;

import io.anser.broker.append.CarryOverRounds;
import io.anser.broker.append.StoredMessages;
import io.anser.broker.metadata.Appender;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Change.TimerFired;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.PendingTimer;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.role.RoleListener;
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
 * <p>A topic that the log has no room for is asked for with one timer ({@link RefusedTopics}), and holds back no other topic
 * ({@link DueTimers}).
 *
 * <p>Sleeps until the earliest timer is due; a new earlier one wakes it. Runs on one worker at a time: any thread may
 * {@linkplain #wake wake} it, and the fields without further note belong to the run.
 */
public final class TimerDelivery implements RoleListener, AutoCloseable {
    /** Most timers on their way into the log. */
    static final int MAX_IN_FLIGHT = 1024;
    /** Most timers fired in one run, so that other work of the pool gets its turn. */
    static final int MAX_BATCH = 256;
    /** Most timers looked at in one run: those of refused topics are read only to know that they are. */
    static final int MAX_LOOKS = 4096;
    /** Most timers that rest after a failure of their own, such as a message that cannot be read. */
    static final int MAX_RESTING = 65_536;
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
    // A timer at which a run fails stays in flight until the next start, so that it holds up no other.
    private final WokenTask runs;
    private final Set<PendingTimer> inFlight = ConcurrentHashMap.newKeySet();
    /** Timers that could not be fired and are tried again; nobody handles them meanwhile. */
    private final Set<PendingTimer> resting = ConcurrentHashMap.newKeySet();

    private final AtomicLong givenUp = new AtomicLong();
    private final AtomicLong postponed = new AtomicLong();
    private final RefusedTopics refused = new RefusedTopics();
    private final DueTimers due;
    private final DueMessage dueMessage;
    private final TimerCopies copies;
    private final CarryOver carryOver;
    private @Nullable Cancellable alarm;
    private volatile boolean moreDue;
    // The log takes nothing now, from nobody: the run ends.
    private volatile boolean stalled;
    private int fired;
    private int looks;
    // Due time of the timer that the alarm is for. Not that of the first timer in the state: those before it are in
    // flight, and their end wakes nobody.
    private volatile long awaitedMillis = Long.MAX_VALUE;
    private volatile boolean active;
    private volatile boolean closed;

    /** Owned by the committing thread: earliest due time of the timers added since the last {@link #committed}. */
    private long addedMillis = Long.MAX_VALUE;

    /**
     * Makes the delivery; nothing is fired before the broker {@linkplain #leads leads}.
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
        this.runs = new WokenTask(this::run, workers, scheduler, RETRY_MILLIS);
        this.due = new DueTimers(state.timers(), refused);
        this.dueMessage = new DueMessage(state.topics(), startPosition);
        this.copies = new TimerCopies(state, messages, log, inFlight, dueMessage, this::lookAgain);
        this.carryOver = new CarryOverRounds<>("delayed messages", copies::before, copies::copy, workers);
    }

    /** Begins to deliver, or goes on, first with what fell due meanwhile. */
    @Override
    public void leads() {
        state.timers().onAdded(this::added);
        due.lookAtAll();
        active = true;
        wake();
    }

    /** Rests. What is on its way has its outcome from the group: a timer that was not fired is in the state, for whoever leads. */
    @Override
    public void follows() {
        active = false;
        state.timers().onAdded(timer -> {});
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
        return new Recalls(state.timers(), waiting, proposals, inFlight, this::lookAgain, clock, scheduler, workers);
    }

    /** Returns how many waiting messages were appended again because their segments had to go. */
    public long carriedOver() {
        return copies.carried();
    }

    /** Fires no more; what is in flight still ends. */
    @Override
    public void close() {
        closed = true;
        state.timers().onAdded(timer -> {});
    }

    private void added(PendingTimer timer) {
        addedMillis = Math.min(addedMillis, timer.dueMillis());
        due.added(timer);
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
        if (active && !closed) {
            runs.wake();
        }
    }

    /** Looks at a timer soon that somebody has handled, or that could not be fired, and for others that are due. */
    private void lookAgain(PendingTimer timer) {
        due.lookAgain(timer);
        wake();
    }

    private void run() {
        if (active && !closed) {
            fireDue();
            sleepUntilNext();
        }
    }

    private void fireDue() {
        long now = clock.wallMillis();
        fired = 0;
        looks = 0;
        moreDue = false;
        stalled = false;
        due.begin(now);
        for (PendingTimer timer : List.copyOf(due.again())) {
            if (!mayGoOn()) {
                return;
            }
            if (isCommitted(timer)) { // else its commit wakes
                due.again().remove(timer);
                if (timer.dueMillis() <= now) {
                    look(timer);
                }
            }
        }
        for (PendingTimer timer : due.ahead()) {
            if (timer.dueMillis() > now || !mayGoOn()) {
                return;
            }
            if (isCommitted(timer)) {
                look(timer);
            } else {
                due.lookAgain(timer);
            }
            due.pass(timer);
        }
    }

    private boolean mayGoOn() {
        boolean full = !active || inFlight.size() >= MAX_IN_FLIGHT || resting.size() >= MAX_RESTING;
        if (fired < MAX_BATCH && looks < MAX_LOOKS && !full && !stalled) {
            return true;
        }
        moreDue = true;
        boolean restWakes = stalled || resting.size() >= MAX_RESTING;
        // The end of what is in flight wakes the next run, unless all of it ended before it could know.
        if (!restWakes && (looks == MAX_LOOKS || inFlight.isEmpty())) {
            wake();
        }
        return false;
    }

    /** Fires a timer unless somebody handles it. */
    private void look(PendingTimer timer) {
        // A view may still show a timer whose append has just ended; it is gone from the state before it leaves the
        // table of what is in flight, so a second look tells.
        if (!resting.contains(timer) && inFlight.add(timer)) {
            if (state.timers().contains(timer)) {
                fire(timer);
            } else {
                inFlight.remove(timer);
                release(timer);
            }
        }
    }

    private void fire(PendingTimer timer) {
        Firing firing = new Firing(timer);
        looks++;
        try {
            Optional<ByteBuffer> stored = messages.message(timer.position());
            if (stored.isEmpty()) {
                giveUp(timer, "it is no longer in the log", firing);
                return;
            }
            firing.topic = DueMessage.topic(stored.get());
            if (refused.holdsBack(firing.topic, timer)) {
                inFlight.remove(timer); // looked at again when that one has got through
                return;
            }
            fired++;
            log.append(TimerAppend.delivery(dueMessage.of(stored.get(), timer.position()), timer, firing));
        } catch (MalformedMessageException e) {
            giveUp(timer, String.valueOf(e.getMessage()), firing);
        } catch (StoreException e) {
            firing.failed(e);
        }
    }

    private void giveUp(PendingTimer timer, String reason, Outcome outcome) {
        long count = givenUp.incrementAndGet();
        if (count % WARNINGS_APART == 1) {
            LOG.warn("delayed message given up position={} count={} reason={}", timer.position(), count, reason);
        }
        proposals.propose(new TimerFired(timer), outcome);
    }

    /** A timer asks for its topic no more: the others of the topic are tried. */
    private void release(PendingTimer timer) {
        refused.release(timer).ifPresent(others -> {
            others.timers().forEach(due::lookAgain);
            if (others.andMore()) {
                due.lookAtAll();
            }
            wake();
        });
    }

    /** A timer on its way into the log. */
    private final class Firing implements Outcome {
        private final PendingTimer timer;
        private String topic = "";

        Firing(PendingTimer timer) {
            this.timer = timer;
        }

        @Override
        public void committed() {
            inFlight.remove(timer);
            release(timer);
            if (moreDue) {
                wake();
            }
        }

        @Override
        public void failed(StoreException reason) {
            long count = postponed.incrementAndGet();
            if (count % WARNINGS_APART == 1) {
                LOG.warn("delayed message not delivered yet count={} reason={}", count, reason.getMessage());
            }
            switch (reason.kind()) {
                case FULL -> refuse();
                case BUSY, FENCED, CLOSED, NOT_LEADING, UNREPLICATED -> {
                    stalled = true;
                    rest();
                }
                case REFUSED, DROPPED, UNDECIDED, IO -> rest();
            }
        }

        private void refuse() {
            boolean asks = refused.add(topic, timer);
            inFlight.remove(timer);
            if (asks) {
                scheduler.schedule(RETRY_MILLIS, () -> lookAgain(timer));
            } else if (!refused.holdsBack(topic, timer)) {
                lookAgain(timer); // the one that asked got through just now
            }
            if (moreDue) {
                wake();
            }
        }

        private void rest() {
            release(timer);
            resting.add(timer);
            inFlight.remove(timer);
            scheduler.schedule(RETRY_MILLIS, () -> {
                resting.remove(timer);
                lookAgain(timer);
            });
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
        if (due.again().stream().anyMatch(this::isCommitted)) {
            wake(); // it came while the run went on
        }
        for (PendingTimer timer : due.ahead()) {
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
