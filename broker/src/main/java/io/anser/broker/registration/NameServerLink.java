package io.anser.broker.registration;

import io.anser.system.Cancellable;
import io.anser.system.Scheduler;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The registration with one name server: repeated at a fixed period, at once when something changed, and after a growing
 * pause when it failed. At most one call is on its way. Owned by the timer thread.
 */
final class NameServerLink {
    /** Pause after the first failure; it doubles with each further one. */
    static final long FIRST_PAUSE_MILLIS = 200;
    /** Longest pause after a failure: a name server that came back knows the broker within about that time. */
    static final long LONGEST_PAUSE_MILLIS = 1000;

    private static final Logger LOG = LoggerFactory.getLogger(NameServerLink.class);

    private final String nameServer;
    private final NameServerCalls calls;
    private final Scheduler scheduler;
    private final long periodMillis;
    private List<Runnable> waitingForCall = new ArrayList<>();
    private List<Runnable> waitingForNext = new ArrayList<>();
    private boolean calling;
    private boolean again;
    private boolean reachable = true;
    private boolean closed;
    private long pauseMillis;
    private @Nullable Cancellable next;

    NameServerLink(String nameServer, NameServerCalls calls, Scheduler scheduler, long periodMillis) {
        this.nameServer = nameServer;
        this.calls = calls;
        this.scheduler = scheduler;
        this.periodMillis = periodMillis;
    }

    /** Returns the name server's {@code host:port}. */
    String nameServer() {
        return nameServer;
    }

    /** Says whether the last call succeeded, or none has ended yet. */
    boolean isReachable() {
        return reachable;
    }

    /** Registers now; {@code done} runs when a call that began no earlier has ended, well or not. */
    void register(Runnable done) {
        if (closed) {
            done.run();
        } else if (calling) {
            // The call on its way may carry what was true before the change.
            again = true;
            waitingForNext.add(done);
        } else {
            waitingForCall.add(done);
            call();
        }
    }

    /** Registers after the first pause, not at once: a name server that drops every connection must not be hammered. */
    void registerSoon() {
        if (!calling && !closed) {
            callIn(FIRST_PAUSE_MILLIS);
        }
    }

    /** Registers no more. */
    void close() {
        closed = true;
        cancelNext();
    }

    private void call() {
        cancelNext();
        if (closed) {
            return;
        }
        calling = true;
        calls.register(nameServer).whenComplete((nothing, failure) -> scheduler.schedule(0, () -> ended(failure)));
    }

    private void ended(@Nullable Throwable failure) {
        calling = false;
        note(failure);
        List<Runnable> told = waitingForCall;
        waitingForCall = waitingForNext;
        waitingForNext = new ArrayList<>();
        told.forEach(Runnable::run);
        if (again) {
            again = false;
            call();
        } else if (!closed) {
            callIn(failure == null ? periodMillis : pauseMillis);
        }
    }

    private void callIn(long delayMillis) {
        cancelNext();
        next = scheduler.schedule(delayMillis, this::call);
    }

    private void cancelNext() {
        if (next != null) {
            next.cancel();
            next = null;
        }
    }

    private void note(@Nullable Throwable failure) {
        boolean nowReachable = failure == null;
        if (failure == null) {
            pauseMillis = 0;
        } else {
            pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, Math.max(FIRST_PAUSE_MILLIS, 2 * pauseMillis));
        }
        if (nowReachable != reachable && !closed) {
            if (failure == null) {
                LOG.info("registered again nameServer={}", nameServer);
            } else {
                LOG.warn("not registered nameServer={} reason={}", nameServer, failure.getMessage());
            }
        }
        reachable = nowReachable;
    }
}
