package io.anser.store.log;

import io.anser.store.file.DiskSpace;
import io.anser.store.file.NoSpaceException;
import io.anser.store.file.Storage;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import io.anser.system.Clock;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses messages while the device is too full, so that reads, state changes and the operator's work can go on. The
 * log-preparer thread looks at the device once a second ({@link DiskProbe}) and decides ({@link DiskLimit}); the log writer
 * reads the decision for every unit.
 *
 * <p>Between two looks the writer counts what it lets in: a fast device would take a whole reserve within a second.
 *
 * <p>State changes are let in as long as bytes are prepared for them: when the device itself refuses, some chunks of the
 * log lie prepared, and messages no longer use them. Units that {@linkplain Append#makesRoom make room} are let in too,
 * whatever their items are, up to a part of what is free that the preparer keeps for other state changes.
 */
public final class DiskGuard {
    private static final Logger LOGGER = LoggerFactory.getLogger(DiskGuard.class);

    private final DiskProbe probe;
    private final DiskLimit limit;
    private volatile AppendPolicy policy = AppendPolicy.BLOCK;
    private volatile boolean waitingForProbe;

    /** Bytes that units which make room may still take. Set at every look; the log writer takes from it. */
    private final AtomicLong roomMakingBytes = new AtomicLong();

    /** A guard that has not looked at its device yet. */
    public DiskGuard(Storage storage, DiskSettings settings, Clock clock) {
        this.probe = new DiskProbe(storage, clock);
        this.limit = new DiskLimit(storage.describe(""), settings, clock);
    }

    /** Has a policy asked from now on. */
    public void setPolicy(AppendPolicy next) {
        policy = next;
    }

    /** How full the device was at the last look. Any thread. */
    public DiskStatus status() {
        return limit.status();
    }

    /** Why a unit may not be written now; null when it may. Log writer. */
    @Nullable
    StoreException refusal(Append unit) {
        DiskLimit.Reached reached = limit.reachedWith(unit.totalBytes());
        try {
            if (reached != null && !isLetIn(unit, reached.marginOpen())) {
                return reached.refusal();
            }
        } catch (StoreException e) {
            return e; // a unit that cannot name its queue, because the topic is being deleted
        }
        limit.letIn(unit.totalBytes());
        return null;
    }

    private boolean isLetIn(Append unit, boolean marginOpen) {
        if (unit.makesRoom()) {
            return takesFromReserve(unit.totalBytes()); // a state change too: there may be many copies at once
        }
        int items = unit.items();
        for (int item = 0; item < items; item++) {
            QueueLog queue = unit.queue(item);
            if (queue != null && !(marginOpen && policy.mayUseMargin(queue))) {
                return false;
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
        return limit.isOutOfSpace();
    }

    /** The device gave bytes. */
    void tookBytes() {
        limit.gave();
    }

    /** The device had no bytes to give; answers what to tell those whose units needed them. */
    StoreException refusedBytes(NoSpaceException cause) {
        waitingForProbe = true;
        if (!limit.isOutOfSpace()) {
            roomMakingBytes.set(0); // until the next look tells what is left of what is prepared
            LOGGER.warn("the device refused bytes", cause);
        }
        return limit.refused();
    }

    /**
     * Looks at the device when it is time to. Log-preparer thread.
     *
     * @param preparedBytes allocated for the log and not used
     * @param keptBytes what units that make room must leave for state changes
     * @return whether it looked
     */
    boolean probe(long preparedBytes, long keptBytes) {
        if (!probe.isDue()) {
            return false;
        }
        waitingForProbe = false;
        DiskSpace space = probe.ask();
        if (space != null) {
            DiskSpace unprepared = space.plusUsed(-Math.min(preparedBytes, space.usedBytes()));
            limit.look(unprepared, probe.growth(unprepared.usedBytes()));
            roomMakingBytes.set(
                    (limit.isOutOfSpace() ? preparedBytes : space.usableBytes() + preparedBytes) - keptBytes);
            limit.warn();
        }
        return true;
    }
}
