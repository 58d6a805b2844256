package io.anser.store.log;

import io.anser.store.file.DiskSpace;
import io.anser.store.file.StoreException;
import io.anser.store.log.DiskStatus.State;
import io.anser.system.Clock;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the device is too full for messages, and what to tell those who are refused. Changed under this object's lock, by
 * the log-preparer when it has looked, and by the log writer when the device refused it or what it let in reaches the limit;
 * any thread reads. What others call takes the lock, once; what is private is called with it.
 */
final class DiskLimit {
    /** From one line that the device is full to the next, at the least. */
    private static final long TELL_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final Logger LOGGER = LoggerFactory.getLogger(DiskLimit.class);

    /** Messages are refused: why, and whether those that may use the margin are refused too. */
    record Reached(StoreException refusal, boolean marginOpen) {}

    private final String path;
    private final DiskSettings settings;
    private final Clock clock;
    private volatile @Nullable Reached reached;
    private volatile DiskStatus status = DiskStatus.UNKNOWN;
    private volatile boolean outOfSpace;

    /** Bytes that were let in since the last look; the log writer adds, a look begins anew. */
    private final AtomicLong takenBytes = new AtomicLong();

    /** With so many the limit, or the end of the margin, is reached. */
    private volatile long decidingBytes = Long.MAX_VALUE;

    // Guarded by this object's lock.
    private DiskSpace looked = new DiskSpace(0, 0);
    private double bytesPerSecond;
    private DiskStatus seen = DiskStatus.UNKNOWN;
    private long fullTimes;
    private long toldAtNanos;
    private boolean told;

    // Owned by the log-preparer thread.
    private int warnedPercent;

    /**
     * A limit that is not reached yet.
     *
     * @param path of the device, for people
     */
    DiskLimit(String path, DiskSettings settings, Clock clock) {
        this.path = path;
        this.settings = settings;
        this.clock = clock;
    }

    /** How full the device was at the last look. Any thread. */
    DiskStatus status() {
        return status;
    }

    /** Whether the device refused the last attempt to allocate. Any thread. */
    boolean isOutOfSpace() {
        return outOfSpace;
    }

    /** What keeps a unit of so many bytes out, unless it is one that is let in always; null while there is room. Log writer. */
    @Nullable
    Reached reachedWith(int bytes) {
        if (takenBytes.get() + bytes >= decidingBytes) {
            countAsUsed();
        }
        return reached;
    }

    /** Takes note of a unit that was let in. Log writer. */
    void letIn(int bytes) {
        takenBytes.addAndGet(bytes);
    }

    /** A look by arithmetic: what was let in since the last one is used now. */
    private synchronized void countAsUsed() {
        note(looked.plusUsed(takenBytes.getAndSet(0)));
    }

    /** The device gave bytes. */
    void gave() {
        if (outOfSpace) {
            gaveAgain();
        }
    }

    private synchronized void gaveAgain() {
        decide(false);
    }

    /** The device had no bytes to give; answers what to tell those whose units needed them. */
    synchronized StoreException refused() {
        return decide(true);
    }

    /**
     * A look has found this. Log-preparer thread.
     *
     * @param space without what is prepared
     * @param growth of what is used, in bytes per second
     */
    synchronized void look(DiskSpace space, double growth) {
        takenBytes.set(0);
        bytesPerSecond = growth;
        note(space);
    }

    private void note(DiskSpace space) {
        looked = space;
        seen = judge(space);
        decide(outOfSpace);
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
     * Decides by what the last look found.
     *
     * @param refused whether the device refused bytes since it last gave some
     * @return what to tell those who are refused
     */
    private StoreException decide(boolean refused) {
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
        boolean wasFull = reached != null;
        boolean full = status.state() == State.FULL;
        reached = full ? new Reached(refusal, status.marginOpen()) : null;
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
                path,
                (int) of.usedPercent(),
                of.freeBytes(),
                settings.limitPercent());
    }

    /** One line when the warning begins and for every percent that comes on top. Log-preparer thread, after a look. */
    void warn() {
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
