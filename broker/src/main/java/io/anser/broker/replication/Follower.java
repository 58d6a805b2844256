package io.anser.broker.replication;

import io.anser.store.file.StoreException;
import io.anser.store.log.LogCopy;
import io.anser.system.Scheduler;
import io.anser.transport.RemotingClient;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replica's half of the stream: says what this log has, and copies what the primary has more, one answer after another. It
 * never cuts its log: where that is not the beginning of the primary's, it stops, for what it has more may have been
 * acknowledged, and somebody has to decide. Owned by the timer thread.
 */
public final class Follower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Follower.class);
    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 2_000;

    private final String group;
    private final int brokerId;
    private final LogCopy log;
    private final PrimaryCalls primary;
    private final Scheduler scheduler;
    private final News news;
    private final AtomicBoolean acknowledging = new AtomicBoolean();
    private volatile State state = State.CONNECTING;
    private volatile long committed;
    private volatile long released;
    private long releasedNext;
    private long releasedWhenShown;
    private long acknowledged;
    private long pauseMillis;
    private boolean reachable = true;

    /** Is told what becomes of a replica, by the timer thread; must not block. */
    public interface News {
        /** It copies its primary's log from now on, or does not any more. */
        void follows(boolean now);

        /** It copies no more: its log does not fit the primary's, or cannot be written. */
        void stopped();
    }

    /** What a replica does at the moment. */
    enum State {
        /** It looks for its primary. */
        CONNECTING,
        /** It copies. */
        FOLLOWING,
        /** It copies no more: somebody has to do something. */
        STOPPED,
        /** It ends. */
        CLOSED
    }

    Follower(String group, int brokerId, LogCopy log, PrimaryCalls primary, Scheduler scheduler, News news) {
        this.group = group;
        this.brokerId = brokerId;
        this.log = log;
        this.primary = primary;
        this.scheduler = scheduler;
        this.news = news;
    }

    /**
     * A follower that has yet to {@link #start}.
     *
     * @param group the broker's name, the same as the primary's
     * @param log is filled
     * @param connections to the primary, made only to who has the secret of the cluster
     * @param news is told what becomes of it
     */
    public static Follower of(
            String group,
            CopySettings settings,
            LogCopy log,
            RemotingClient connections,
            Scheduler scheduler,
            News news) {
        return new Follower(
                group,
                settings.brokerId(),
                log,
                new RemotingPrimaryCalls(connections, settings.primary()),
                scheduler,
                news);
    }

    /**
     * Asks a primary for the size of its segments, again and again until it answers.
     *
     * @param primary {@code host:port}
     */
    public static CompletableFuture<Integer> askSegmentBytes(
            RemotingClient connections, String primary, Scheduler scheduler) {
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        ask(new RemotingPrimaryCalls(connections, primary), primary, scheduler, answer, true);
        return answer;
    }

    private static void ask(
            RemotingPrimaryCalls calls,
            String primary,
            Scheduler scheduler,
            CompletableFuture<Integer> answer,
            boolean first) {
        calls.segmentBytes().whenComplete((bytes, failure) -> {
            if (failure == null) {
                answer.complete(bytes);
                return;
            }
            if (first) {
                LOG.warn("an empty replica waits for its primary primary={} reason={}", primary, failure.getMessage());
            }
            scheduler.schedule(FIRST_PAUSE_MILLIS, () -> ask(calls, primary, scheduler, answer, false));
        });
    }

    /** Begins. */
    public void start() {
        log.onDurable(this::durableMoved);
        scheduler.schedule(0, this::connect);
    }

    private boolean isOver() {
        return state == State.CLOSED || state == State.STOPPED;
    }

    private void connect() {
        if (isOver()) {
            return;
        }
        state = State.CONNECTING;
        primary.follow(new FollowRequest(group, brokerId, log.segmentBytes(), log.end()))
                .whenComplete((answer, failure) -> scheduler.schedule(0, () -> followed(answer, failure)));
    }

    private void followed(@Nullable FollowAnswer answer, @Nullable Throwable failure) {
        if (isOver()) {
            return;
        }
        if (answer == null) {
            retry(failure == null ? "" : String.valueOf(failure.getMessage()));
        } else if (answer.verdict() == FollowAnswer.Verdict.FITS) {
            LOG.info(
                    "following the primary brokerId={} position={}",
                    brokerId,
                    log.end().position());
            state = State.FOLLOWING;
            news.follows(true);
            reachable = true;
            pauseMillis = 0;
            acknowledged = log.durable();
            fetch();
        } else if (answer.verdict().isMisfit()) {
            stop(answer.verdict().text() + ": " + answer.why());
        } else {
            retry(answer.why());
        }
    }

    private void fetch() {
        primary.fetch(new FetchRequest(log.end().position(), log.durable(), committed))
                .whenComplete((answer, failure) -> scheduler.schedule(0, () -> fetched(answer, failure)));
    }

    private void fetched(@Nullable FetchAnswer answer, @Nullable Throwable failure) {
        if (isOver()) {
            return;
        }
        if (answer == null) {
            retry(failure == null ? "" : String.valueOf(failure.getMessage()));
            return;
        }
        committed = Math.max(committed, answer.committed());
        log.committed(committed);
        release(answer);
        if (answer.records().hasRemaining()) {
            log.append(answer.records(), outcome -> scheduler.schedule(0, () -> written(outcome)));
        } else {
            fetch();
        }
    }

    /** What the primary has appended again of what it does not keep any more must be applied here before that goes. */
    private void release(FetchAnswer answer) {
        if (releasedNext > released && log.shown() >= releasedWhenShown) {
            released = releasedNext;
        }
        if (releasedNext == released && answer.kept() > released) {
            releasedNext = answer.kept();
            releasedWhenShown = answer.committed();
        }
    }

    /** The primary keeps nothing before this log position, and nothing of it is needed here; any thread. */
    public long released() {
        return released;
    }

    private void written(@Nullable StoreException failure) {
        if (isOver()) {
            return;
        }
        if (failure == null) {
            fetch();
        } else if (failure.kind() == StoreException.Kind.FENCED || failure.kind() == StoreException.Kind.CLOSED) {
            stop("the copy cannot be written: " + failure.getMessage());
        } else {
            retry(String.valueOf(failure.getMessage()));
        }
    }

    /** Any thread. */
    private void durableMoved() {
        if (acknowledging.compareAndSet(false, true)) {
            scheduler.schedule(0, this::acknowledge);
        }
    }

    private void acknowledge() {
        acknowledging.set(false);
        long durable = log.durable();
        if (state == State.FOLLOWING && durable > acknowledged) {
            acknowledged = durable;
            primary.acknowledge(new FetchRequest(log.end().position(), durable, committed));
        }
    }

    private void retry(String reason) {
        if (reachable) {
            LOG.warn("not following the primary, still trying brokerId={} reason={}", brokerId, reason);
        }
        reachable = false;
        if (state == State.FOLLOWING) {
            news.follows(false);
        }
        state = State.CONNECTING;
        pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, Math.max(FIRST_PAUSE_MILLIS, pauseMillis * 2));
        scheduler.schedule(pauseMillis, this::connect);
    }

    private void stop(String reason) {
        state = State.STOPPED;
        LOG.error(
                "this replica copies no more and leaves the name servers brokerId={} position={} reason={}; nothing of its"
                        + " log is cut: look which of the two logs is the right one, then start the primary with it, and the"
                        + " replica with an empty folder",
                brokerId,
                log.end().position(),
                reason);
        news.stopped();
    }

    /** Figures for the broker's status. */
    public Map<String, String> figures() {
        Map<String, String> figures = new TreeMap<>();
        figures.put("replicationRole", "replica");
        figures.put("replicationState", state.name().toLowerCase(Locale.ROOT));
        figures.put("replicationLagBytes", Long.toString(Math.max(0, committed - log.durable())));
        return figures;
    }

    State state() {
        return state;
    }

    /** Copies no more. */
    @Override
    public void close() {
        state = State.CLOSED;
    }
}
