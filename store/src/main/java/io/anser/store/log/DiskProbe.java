package io.anser.store.log;

import io.anser.store.file.DiskSpace;
import io.anser.store.file.Storage;
import io.anser.system.Clock;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the device for its room from time to time, and measures how fast it fills up. Owned by the log-preparer thread. */
final class DiskProbe {
    /** From look to look. */
    static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** What happened this long ago weighs a third in the growth that is told. */
    private static final double GROWTH_SECONDS = 60;

    private static final Logger LOGGER = LoggerFactory.getLogger(DiskProbe.class);

    private final Storage storage;
    private final Clock clock;
    private long dueAtNanos;
    private long measuredAtNanos;
    private long usedBytes = -1;
    private double bytesPerSecond;
    private boolean silent;

    /** A probe that is due at once. */
    DiskProbe(Storage storage, Clock clock) {
        this.storage = storage;
        this.clock = clock;
        this.dueAtNanos = clock.nanos();
    }

    /** Whether it is time for a look; the next one is due a while later then. */
    boolean isDue() {
        long now = clock.nanos();
        if (now - dueAtNanos < 0) {
            return false;
        }
        dueAtNanos = now + PROBE_NANOS;
        return true;
    }

    /** What the device says; null when it does not tell, or nothing that can be true. */
    @Nullable
    DiskSpace ask() {
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

    /** Bytes per second by which what is used has grown lately, this look included. */
    double growth(long used) {
        long now = clock.nanos();
        double seconds = (now - measuredAtNanos) / 1e9;
        if (usedBytes >= 0 && seconds > 0) {
            double weight = 1 - Math.exp(-seconds / GROWTH_SECONDS);
            bytesPerSecond += weight * ((used - usedBytes) / seconds - bytesPerSecond);
        }
        usedBytes = used;
        measuredAtNanos = now;
        return bytesPerSecond;
    }
}
