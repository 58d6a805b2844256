package io.anser.broker.timer;

import io.anser.broker.metadata.PendingTimer;
import io.anser.broker.metadata.TimerTable;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Which timers a run of the delivery looks at. All from the first one on, as long as no topic is refused. Where some are, their
 * timers stay at the front, perhaps a million of them: a run goes on behind those that were passed, and looks again only at
 * those that somebody names.
 *
 * <p>What a run passes is fired, or is handled by somebody who names it when he ends, or waits until its topic has room, and
 * is named then.
 */
final class DueTimers {
    /** Most timers that are named one by one; beyond, all are looked at again. */
    private static final int AGAIN_MAX = 65_536;

    private final TimerTable timers;
    private final RefusedTopics refused;
    private final Set<PendingTimer> again = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean fromTheFirst = new AtomicBoolean();

    /** The wall time up to which the last run looked, written before it looks. */
    private volatile long lookedMillis = Long.MIN_VALUE;

    /** The last timer that was passed; null before the first. Owned by the run. */
    private @Nullable PendingTimer passed;

    DueTimers(TimerTable timers, RefusedTopics refused) {
        this.timers = timers;
        this.refused = refused;
    }

    /** Begins a run. */
    void begin(long nowMillis) {
        boolean all = fromTheFirst.getAndSet(false);
        if (all || refused.isEmpty() || nowMillis < lookedMillis) {
            passed = null;
            again.clear();
        }
        lookedMillis = nowMillis;
    }

    /** The timers that were named, perhaps not due. */
    Set<PendingTimer> again() {
        return again;
    }

    /** The timers that were not passed, in order; a live view. */
    NavigableSet<PendingTimer> ahead() {
        PendingTimer last = passed;
        return last == null ? timers.all() : timers.all().tailSet(last, false);
    }

    /** A timer of {@link #ahead()} was looked at. */
    void pass(PendingTimer timer) {
        passed = timer;
    }

    /** Names a timer that may have been passed. Any thread. */
    void lookAgain(PendingTimer timer) {
        if (again.size() < AGAIN_MAX) {
            again.add(timer);
        } else {
            fromTheFirst.set(true);
        }
    }

    /** Has the next run look at all. Any thread. */
    void lookAtAll() {
        fromTheFirst.set(true);
    }

    /** A timer has come, which {@link #ahead()} shows already. Committing thread. */
    void added(PendingTimer timer) {
        // A run that looks further than this sees the timer, as it wrote how far before it looked.
        if (timer.dueMillis() <= lookedMillis) {
            lookAgain(timer);
        }
    }
}
