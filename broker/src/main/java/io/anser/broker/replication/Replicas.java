package io.anser.broker.replication;

import io.anser.broker.replication.FollowAnswer.Verdict;
import io.anser.store.log.LogPoint;
import io.anser.store.log.LogSource;
import io.anser.system.Clock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replicas of a primary: looks whether what one has fits, hands it records when it asks, and knows how far each is. A
 * replica has one request at a time, and gets no more before it asks again: one that is slow or hangs holds a few bytes of
 * memory and nobody up. Any thread; the lock is held for moments only.
 *
 * <p>What a replica says it has counts up to what it was sent, and one that says more is sent away.
 */
final class Replicas {
    /** Most bytes of an answer, unless one record is larger. */
    static final int ANSWER_BYTES = 1 << 20;

    /** Most replicas. */
    static final int REPLICAS_MAX = 15;

    /** A request is answered after so long, with nothing if there is nothing. */
    static final long PARKED_MILLIS = 1_000;

    /** A replica that was not heard of for so long is no replica any more. */
    static final long SILENT_MILLIS = 10_000;

    /** What of the log's end is taken to be in memory: the rest is read by a thread that may wait for the device. */
    private static final long WARM_BYTES = 4L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(Replicas.class);

    private final String group;
    private final LogSource log;
    private final @Nullable InSync inSync;
    private final Clock clock;
    private final Executor mayWait;
    private final Runnable changed;
    private final Set<ReplicaSession> sessions = new LinkedHashSet<>();

    /**
     * No replicas yet.
     *
     * @param inSync decides what is acknowledged; null where replicas are not waited for
     * @param mayWait runs what may wait for the device; may refuse
     * @param changed told when it has decided something else; must not block
     */
    Replicas(String group, LogSource log, @Nullable InSync inSync, Clock clock, Executor mayWait, Runnable changed) {
        this.group = group;
        this.log = log;
        this.inSync = inSync;
        this.clock = clock;
        this.mayWait = mayWait;
        this.changed = changed;
    }

    /** Looks at what a replica has. */
    FollowAnswer judge(FollowRequest request) {
        LogPoint end = request.end();
        if (!request.group().equals(group)) {
            return new FollowAnswer(
                    Verdict.NOT_MINE, "this is the primary of " + group + ", not of " + request.group());
        }
        if (request.segmentBytes() != log.segmentBytes()) {
            return new FollowAnswer(
                    Verdict.OTHER_SEGMENTS,
                    "the primary's segments have bytes=" + log.segmentBytes() + ", the replica's bytes="
                            + request.segmentBytes() + ": begin with an empty folder");
        }
        if (end.position() > log.durable()) {
            return new FollowAnswer(
                    Verdict.AHEAD,
                    "the replica has a log up to position=" + end.position() + ", the primary only up to position="
                            + log.durable() + ": the primary has lost what the replica has, or is another one");
        }
        if (end.position() < log.minPosition()) {
            return new FollowAnswer(
                    Verdict.GONE,
                    "the replica needs the log from position=" + end.position()
                            + " on, the primary keeps it from position=" + log.minPosition()
                            + " on: begin with a copy of the primary's folder");
        }
        if (!log.holds(end)) {
            return new FollowAnswer(
                    Verdict.DIFFERENT,
                    "the record before position=" + end.position() + ", of epoch=" + end.term()
                            + " at the replica, is another one at the primary");
        }
        return FollowAnswer.fits();
    }

    /**
     * Takes a replica in, if it fits.
     *
     * @param executor runs what may take a moment for it
     * @param refusal told why not
     */
    Optional<ReplicaSession> join(
            FollowRequest request, String address, Executor executor, Consumer<FollowAnswer> refusal) {
        FollowAnswer verdict = judge(request);
        ReplicaSession joined = null;
        synchronized (this) {
            if (verdict.verdict() == Verdict.FITS) {
                // The one with its number is the same one, on a connection that has ended or is about to.
                sessions.removeIf(known -> endsAsOther(known, request.brokerId()));
            }
            if (verdict.verdict() == Verdict.FITS && sessions.size() >= REPLICAS_MAX) {
                verdict =
                        new FollowAnswer(Verdict.NOT_MINE, "the primary has replicas=" + sessions.size() + " already");
            }
            if (verdict.verdict() == Verdict.FITS) {
                joined = new ReplicaSession(
                        request.brokerId(), address, request.end().position(), millis(), executor);
                sessions.add(joined);
            }
        }
        if (joined == null) {
            LOG.warn("replica refused brokerId={} address={} reason={}", request.brokerId(), address, verdict.why());
            refusal.accept(verdict);
        } else {
            LOG.info(
                    "replica joined brokerId={} address={} position={} behindBytes={}",
                    request.brokerId(),
                    address,
                    request.end().position(),
                    log.durable() - request.end().position());
        }
        look();
        return Optional.ofNullable(joined);
    }

    private static boolean endsAsOther(ReplicaSession known, int brokerId) {
        boolean same = known.brokerId() == brokerId;
        if (same) {
            known.end();
        }
        return same;
    }

    /**
     * A replica asks for more.
     *
     * @param position where it wants to go on
     * @param durable what it has
     * @param told what it knows to be committed
     * @param answer told once, now or later, by any thread
     * @return whether it may; if not, it has to begin anew
     */
    boolean fetch(ReplicaSession session, long position, long durable, long told, Consumer<FetchAnswer> answer) {
        synchronized (this) {
            if (!mayGoOn(session, position) || session.parked() != null) {
                leave(session, "it asks for position=" + position + " behind position=" + session.sent());
                return false;
            }
            session.park(new ReplicaSession.Parked(position, told, millis(), answer));
        }
        if (!acknowledged(session, durable)) {
            return false;
        }
        answerIfDue(session, false);
        return true;
    }

    private boolean mayGoOn(ReplicaSession session, long position) {
        long sent = session.sent();
        long size = log.segmentBytes();
        return !session.isEnded() && (position == sent || position == (sent + size - 1) / size * size);
    }

    /**
     * A replica has everything before a position.
     *
     * @return whether that can be; if not, it has to begin anew
     */
    boolean acknowledged(ReplicaSession session, long durable) {
        synchronized (this) {
            if (session.isEnded()) {
                return false;
            }
            if (durable > session.sent()) {
                leave(session, "it says it has position=" + durable + " and was sent position=" + session.sent());
                return false;
            }
            session.heard(millis());
            session.acknowledged(durable);
        }
        look();
        return true;
    }

    /** The log has more, or more of it is committed. Any thread; reads nothing itself. */
    void progressed() {
        for (ReplicaSession session : all()) {
            post(session, false);
        }
        look();
    }

    /** Answers those that have waited long enough, and forgets those that are silent. */
    void tick() {
        for (ReplicaSession session : all()) {
            synchronized (this) {
                if (millis() - session.heardMillis() >= SILENT_MILLIS) {
                    leave(session, "it was silent for ms=" + (millis() - session.heardMillis()));
                }
            }
            post(session, true);
        }
        look();
    }

    private void post(ReplicaSession session, boolean orLate) {
        try {
            session.executor().execute(() -> answerIfDue(session, orLate));
        } catch (RejectedExecutionException ended) {
            // The caller is a thread of the log, which must go on; the end of the connection is told by itself.
            LOG.debug("the thread of a replica's connection has ended brokerId={}", session.brokerId(), ended);
        }
    }

    private void answerIfDue(ReplicaSession session, boolean orLate) {
        ReplicaSession.Parked request;
        synchronized (this) {
            request = session.parked();
            if (request == null || !isDue(request, orLate)) {
                return;
            }
            session.park(null);
        }
        if (log.durable() - request.position() <= WARM_BYTES) {
            answer(session, request);
            return;
        }
        try {
            mayWait.execute(() -> answer(session, request));
        } catch (RejectedExecutionException busy) {
            LOG.debug("no thread for a replica, asked again later", busy);
            synchronized (this) {
                session.park(session.isEnded() ? null : request);
            }
        }
    }

    private boolean isDue(ReplicaSession.Parked request, boolean orLate) {
        return log.durable() > request.position()
                || log.committed() > request.told()
                || (orLate && millis() - request.sinceMillis() >= PARKED_MILLIS);
    }

    /** Without the lock: what a replica lacks may have to be read from the device. */
    private void answer(ReplicaSession session, ReplicaSession.Parked request) {
        long kept = log.minPosition(); // before the next: what was appended again of what is gone is committed then
        long committed = log.committed();
        Optional<ByteBuffer> records = log.durable() > request.position()
                ? log.read(request.position(), ANSWER_BYTES)
                : Optional.of(ByteBuffer.allocate(0));
        synchronized (this) {
            if (session.isEnded()) {
                return;
            }
            if (records.isEmpty()) {
                leave(session, "position=" + request.position() + " is not kept any more, or no record starts there");
                return;
            }
            session.sent(request.position() + records.get().remaining());
        }
        request.answer().accept(new FetchAnswer(records.get(), committed, kept));
    }

    /** A replica's connection has ended. */
    void left(ReplicaSession session) {
        synchronized (this) {
            if (!session.isEnded()) {
                leave(session, "its connection ended");
            }
        }
        look();
    }

    private void leave(ReplicaSession session, String reason) {
        if (sessions.remove(session)) {
            LOG.warn(
                    "replica gone brokerId={} address={} acknowledged={} reason={}",
                    session.brokerId(),
                    session.address(),
                    session.acknowledged(),
                    reason);
        }
        session.end();
    }

    private void look() {
        boolean different;
        synchronized (this) {
            if (inSync == null) {
                return;
            }
            List<Long> acknowledged =
                    sessions.stream().map(ReplicaSession::acknowledged).toList();
            different = inSync.look(acknowledged, log.durable(), millis());
        }
        if (different) {
            changed.run();
        }
    }

    private synchronized List<ReplicaSession> all() {
        return new ArrayList<>(sessions);
    }

    /** Those that are connected. */
    synchronized List<ReplicaStatus> status() {
        return sessions.stream()
                .map(session -> new ReplicaStatus(
                        session.brokerId(),
                        session.address(),
                        session.acknowledged(),
                        Math.max(0, log.durable() - session.acknowledged())))
                .toList();
    }

    private long millis() {
        return clock.nanos() / 1_000_000;
    }
}
