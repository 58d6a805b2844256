package io.anser.store.log;

import io.anser.store.file.DiskSpace;
import io.anser.store.file.NoSpaceException;
import io.anser.store.file.Storage;
import io.anser.store.file.StoreException;
import io.anser.store.log.DiskStatus.State;
import io.anser.store.queue.QueueLog;
import io.anser.system.Clock;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses messages while the device is too full, so that reads, state changes and the operator's work can go on. The
 * log-preparer thread looks at the device once a second and decides; the log writer reads the decision for every unit.
 *
 * <p>Between two looks the writer counts what it lets in: a fast device would take a whole reserve within a second.
 *
 * <p>State changes are let in as long as bytes are prepared for them: when the device itself refuses, some chunks of the
 * log lie prepared, and messages no longer use them. Units that {@linkplain Append#makesRoom make room} are let in too, up
 * to a part of what is free that the preparer keeps for state changes.
 */
public final class DiskGuard {
    /** From look to look; also between two attempts to prepare on a device that refused. */
    static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** From one line that the device is full to the next, at the least. */
    private static final long TELL_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final Logger LOGGER = LoggerFactory.getLogger(DiskGuard.class);

    /** What happened this long ago weighs a third in the growth that is told. */
    private static final double GROWTH_SECONDS = 60;

    /** Messages are refused: why, and whether those that may use the margin are refused too. */
    private record Limit(StoreException refusal, boolean marginOpen) {}

    private final Storage storage;
    private final DiskSettings settings;
    private final Clock clock;
    private volatile AppendPolicy policy = AppendPolicy.BLOCK;

    // Written under this object's lock, by the preparer and, when the device refused it, by the writer.
    private volatile @Nullable Limit limit;
    private volatile DiskStatus status = DiskStatus.UNKNOWN;
    private DiskStatus seen = DiskStatus.UNKNOWN;
    private volatile boolean outOfSpace;
    private volatile boolean waitingForProbe;

    /** What the last look found, without what is prepared. Written under this object's lock. */
    private volatile DiskSpace looked = new DiskSpace(0, 0);

    /** Bytes that were let in since the last look; the log writer adds, a look begins anew. */
    private final AtomicLong takenBytes = new AtomicLong();

    /** With so many the limit, or the end of the margin, is reached. */
    private volatile long decidingBytes = Long.MAX_VALUE;

    /** Bytes that units which make room may still take. Set at every look; the log writer takes from it. */
    private final AtomicLong roomMakingBytes = new AtomicLong();

    // Guarded by this object's lock.
    private long fullTimes;
    private long toldAtNanos;
    private boolean told;

    // Owned by the log-preparer thread.
    private long probeAtNanos;
    private long probedAtNanos;
    private long usedBytes = -1;
    private double bytesPerSecond;
    private boolean silent;
    private int warnedPercent;

    /** A guard that has not looked at its device yet. */
    public DiskGuard(Storage storage, DiskSettings settings, Clock clock) {
        this.storage = storage;
        this.settings = settings;
        this.clock = clock;
        this.probeAtNanos = clock.nanos();
    }

    /** Has a policy asked from now on. */
    public void setPolicy(AppendPolicy next) {
        policy = next;
    }

    /** How full the device was at the last look. Any thread. */
    public DiskStatus status() {
        return status;
    }

    /** Why a unit may not be written now; null when it may. Log writer. */
    @Nullable
    StoreException refusal(Append unit) {
        if (takenBytes.get() + unit.totalBytes() >= decidingBytes) {
            countAsUsed();
        }
        Limit now = limit;
        try {
            if (now != null && !isLetIn(unit, now.marginOpen())) {
                return now.refusal();
            }
        } catch (StoreException e) {
            return e; // a unit that cannot name its queue, because the topic is being deleted
        }
        takenBytes.addAndGet(unit.totalBytes());
        return null;
    }

    /** A look by arithmetic: what was let in since the last one is used now. */
    private synchronized void countAsUsed() {
        look(looked.plusUsed(takenBytes.getAndSet(0)));
    }

    private synchronized void look(DiskSpace space) {
        looked = space;
        decide(judge(space), outOfSpace);
        long used = space.usedBytes();
        long limitBytes = bytesAt(space, settings.limitPercent());
        long marginBytes = bytesAt(space, settings.limitPercent() + settings.marginPercent());
        decidingBytes =
                used < limitBytes ? limitBytes - used : used < marginBytes ? marginBytes - used : Long.MAX_VALUE;
    }

    /** The least number of used bytes that makes so many percent. */
    private static long bytesAt(DiskSpace space, int percent) {
        return (long) Math.ceil(space.totalBytes() / 100.0 * percent);
    }

    private boolean isLetIn(Append unit, boolean marginOpen) {
        int items = unit.items();
        for (int item = 0; item < items; item++) {
            QueueLog queue = unit.queue(item);
            if (queue != null && !(marginOpen && policy.mayUseMargin(queue))) {
                return unit.makesRoom() && takesFromReserve(unit.totalBytes());
            }
        }
        return true;
    }

    private boolean takesFromReserve(int bytes) {
        if (roomMakingBytes.get() < bytes) {
            return false;
        }
        roomMakingBytes.addAndGet(-bytes);
        return true;
    }

    /** Whether an attempt to allocate makes sense. */
    boolean mayPrepare() {
        return !waitingForProbe;
    }

    /** Whether the device refused the last attempt to allocate. */
    boolean isOutOfSpace() {
        return outOfSpace;
    }

    /** The device gave bytes. */
    void tookBytes() {
        if (outOfSpace) {
            decide(null, false);
        }
    }

    /** The device had no bytes to give; answers what to tell those whose units needed them. */
    StoreException refusedBytes(NoSpaceException cause) {
        waitingForProbe = true;
        if (!outOfSpace) {
            roomMakingBytes.set(0); // until the next look tells what is left of what is prepared
            LOGGER.warn("the device refused bytes", cause);
        }
        return decide(null, true);
    }

    /**
     * Looks at the device when it is time to. Log-preparer thread.
     *
     * @param preparedBytes allocated for the log and not used
     * @param keptBytes what units that make room must leave for state changes
     * @return whether it looked
     */
    boolean probe(long preparedBytes, long keptBytes) {
        long now = clock.nanos();
        if (now - probeAtNanos < 0) {
            return false;
        }
        probeAtNanos = now + PROBE_NANOS;
        waitingForProbe = false;
        DiskSpace space = ask();
        if (space != null) {
            DiskSpace unprepared = space.plusUsed(-Math.min(preparedBytes, space.usedBytes()));
            measureGrowth(unprepared.usedBytes(), now);
            takenBytes.set(0);
            look(unprepared);
            roomMakingBytes.set((outOfSpace ? preparedBytes : space.usableBytes() + preparedBytes) - keptBytes);
            warn();
        }
        return true;
    }

    private @Nullable DiskSpace ask() {
        try {
            DiskSpace space = storage.space();
            if (space.isPlausible()) {
                silent = false;
                return space;
            }
            tellOnce("used=" + space.usedBytes() + " usable=" + space.usableBytes(), null);
        } catch (IOException e) {
            tellOnce("failed", e);
        }
        return null;
    }

    /** Without an answer the last decision stands; and that the device refuses bytes is noticed anyway. */
    private void tellOnce(String answer, @Nullable IOException failure) {
        if (!silent) {
            silent = true;
            LOGGER.warn("disk does not tell its free bytes path={} answer={}", storage.describe(""), answer, failure);
        }
    }

    private void measureGrowth(long used, long now) {
        double seconds = (now - probedAtNanos) / 1e9;
        if (usedBytes >= 0 && seconds > 0) {
            double weight = 1 - Math.exp(-seconds / GROWTH_SECONDS);
            bytesPerSecond += weight * ((used - usedBytes) / seconds - bytesPerSecond);
        }
        usedBytes = used;
        probedAtNanos = now;
    }

    private DiskStatus judge(DiskSpace space) {
        long total = space.totalBytes();
        long used = space.usedBytes();
        double percent = 100.0 * used / total;
        double toLimit = total * (settings.limitPercent() / 100.0) - used;
        long seconds = bytesPerSecond < 1 ? -1 : (long) Math.max(0, toLimit / bytesPerSecond);
        State state = percent >= settings.limitPercent()
                ? State.FULL
                : percent >= settings.warnPercent() ? State.WARNING : State.NORMAL;
        boolean margin = percent < settings.limitPercent() + settings.marginPercent();
        return new DiskStatus(state, percent, total - used, total, seconds, margin);
    }

    /**
     * Decides.
     *
     * @param news what a look found; null when there was none
     * @param refused whether the device refused bytes since it last gave some
     * @return what to tell those who are refused
     */
    private synchronized StoreException decide(@Nullable DiskStatus news, boolean refused) {
        seen = news == null ? seen : news;
        outOfSpace = refused;
        status = refused
                ? new DiskStatus(
                        State.FULL,
                        seen.usedPercent(),
                        seen.freeBytes(),
                        seen.totalBytes(),
                        seen.secondsToFull(),
                        false)
                : seen;
        StoreException refusal = new StoreException(
                StoreException.Kind.FULL,
                "disk full: " + describe(seen) + (refused ? "; the device has no space left" : ""));
        boolean wasFull = limit != null;
        boolean full = status.state() == State.FULL;
        limit = full ? new Limit(refusal, status.marginOpen()) : null;
        if (full != wasFull) {
            tell(refusal, full);
        }
        return refusal;
    }

    /** Where oldest messages make room, the limit is reached again and again: that is told once in a while. */
    private void tell(StoreException refusal, boolean full) {
        long now = clock.nanos();
        if (!full) {
            if (told) {
                LOGGER.info("disk has room again, messages are taken {}", describe(seen));
            }
            return;
        }
        fullTimes++;
        told = fullTimes == 1 || now - toldAtNanos >= TELL_AGAIN_NANOS;
        if (told) {
            toldAtNanos = now;
            LOGGER.error(
                    "{}; messages are refused: make room, or raise the limit times={}",
                    refusal.getMessage(),
                    fullTimes);
        }
    }

    private String describe(DiskStatus of) {
        return String.format(
                Locale.ROOT,
                "path=%s used=%d%% free=%dbytes limit=%d%%",
                storage.describe(""),
                (int) of.usedPercent(),
                of.freeBytes(),
                settings.limitPercent());
    }

    /** One line when the warning begins and for every percent that comes on top. */
    private void warn() {
        DiskStatus now = status;
        int percent = (int) now.usedPercent();
        if (now.state() == State.WARNING && percent > warnedPercent) {
            LOGGER.warn(
                    "disk fills up {} secondsToFull={}",
                    describe(now),
                    now.secondsToFull() < 0 ? "never at this growth" : now.secondsToFull());
        }
        warnedPercent = now.state() == State.NORMAL ? 0 : Math.max(warnedPercent, percent);
    }
}
